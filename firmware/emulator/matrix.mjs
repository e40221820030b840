// The matrix of contacts, electrically: which columns are low while some rows are driven low.
//
// Without diodes a closed contact joins its row and its column both ways, so a low column pulls other rows low through
// their closed contacts, and those other columns: a contact that is open reads closed (a ghost). With a diode at each
// contact, its band to the row, current goes from the column to the row only.
//
// A row pulls a column low at once, but the chip sees it a cycle later: who reads behind the very write that drives the
// row reads what was there before. A column that is let go rises by its pull-up (50 kilohm at worst, and some 150 pF of
// wires and diodes): a scan that does not wait for that reads contacts of the row before. A column whose pull-up is not
// on floats, and here reads low.

import { HERTZ } from './chip.mjs';

// [port, bit], in order: as many rows as the board has lines, and the buttons' row; as many columns as a line has places.
const ROWS = [
  ['d', 2], ['d', 3], ['d', 4], ['d', 5], ['d', 6], ['d', 7], ['b', 0], ['b', 1], ['b', 2], ['b', 3], ['b', 4],
];
const COLUMNS = [['c', 0], ['c', 1], ['c', 2], ['c', 3], ['c', 4], ['c', 5], ['b', 4], ['b', 3]];

const RISES_IN = 8e-6 * HERTZ;
const SEEN_IN = 2; // cycles, from the beginning of the instruction that drives the row

export class Matrix {
  constructor(lines, perLine, diodes) {
    this.rows = ROWS.slice(0, lines + 1);
    this.columns = COLUMNS.slice(0, perLine);
    this.diodes = diodes;
    this.chip = null;
    this.clear();
  }

  detach() {
    this.chip = null;
  }

  // For the start after it.
  clear() {
    this.closed = this.rows.map(() => 0); // columns whose contact is closed, as bits
  }

  attach(chip) {
    this.chip = chip;
    const masks = (pins, port) => pins.reduce((mask, [at, bit]) => (at === port ? mask | (1 << bit) : mask), 0);
    this.columnMasks = ['b', 'c'].map((port) => [chip[port], masks(this.columns, port)]);
    this.low = this.rising = this.falling = 0; // columns, as bits
    this.releasedAt = this.columns.map(() => 0);
    for (const port of ['b', 'c', 'd']) chip[port].addListener(() => this.update());
    this.update();
  }

  set(row, column, closed) {
    if (closed) this.closed[row] |= 1 << column;
    else this.closed[row] &= ~(1 << column);
    if (this.chip) this.update();
  }

  get(row, column) {
    return (this.closed[row] >> column) & 1;
  }

  // Bits of the rows that the chip drives low.
  #driven() {
    const { data } = this.chip.cpu;
    let driven = 0;
    this.rows.forEach(([name, bit], row) => {
      const { DDR, PORT } = this.chip[name].portConfig;
      if ((data[DDR] & ~data[PORT]) >> bit & 1) driven |= 1 << row;
    });
    return driven;
  }

  // Bits of the columns that the chip pulls up: inputs whose port bit is one.
  #pulledUp() {
    const { data } = this.chip.cpu;
    let pulled = 0;
    this.columns.forEach(([name, bit], column) => {
      const { DDR, PORT } = this.chip[name].portConfig;
      if ((~data[DDR] & data[PORT]) >> bit & 1) pulled |= 1 << column;
    });
    return pulled;
  }

  lowColumns() {
    let rows = this.#driven();
    let low = 0;
    for (;;) {
      let columns = low;
      this.closed.forEach((closed, row) => {
        if (rows >> row & 1) columns |= closed;
      });
      if (columns === low || this.diodes) return columns;
      low = columns;
      this.closed.forEach((closed, row) => {
        if (closed & low) rows |= 1 << row;
      });
    }
  }

  update() {
    const { cpu } = this.chip;
    const low = this.lowColumns() | (~this.#pulledUp() & (1 << this.columns.length) - 1);
    const released = this.low & ~low;
    const pulled = low & ~this.low & ~this.rising;
    this.low = low;
    this.rising = (this.rising | released) & ~low;
    if (released) {
      this.columns.forEach((_, column) => {
        if (released >> column & 1) this.releasedAt[column] = cpu.cycles;
      });
      cpu.addClockEvent(() => this.#rise(), RISES_IN);
    }
    this.falling = (this.falling | pulled) & low;
    if (pulled) {
      cpu.addClockEvent(() => {
        this.falling &= ~pulled;
        this.#drive();
      }, SEEN_IN);
    }
    this.#drive();
  }

  #rise() {
    this.columns.forEach((_, column) => {
      if (this.chip.cpu.cycles - this.releasedAt[column] >= RISES_IN) this.rising &= ~(1 << column);
    });
    this.#drive();
  }

  #drive() {
    const low = (this.low & ~this.falling) | this.rising;
    for (const [port, mask] of this.columnMasks) {
      let high = mask;
      this.columns.forEach(([name, bit], column) => {
        if (this.chip[name] === port && low >> column & 1) high &= ~(1 << bit);
      });
      this.chip.drive(port, mask, high);
    }
  }
}
