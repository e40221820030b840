// A sensor board in software: the firmware's image in an emulated chip, its sensors and lights, and the line to a host.
//
//   node board.mjs IMAGE.hex [--places 32|50|64] [--hall] [--no-diodes]
//
// It reads commands from standard input, one a line, and answers each with a line: "ok CYCLES ...", CYCLES since the
// start at 16 MHz, or "error WHAT". Time stands still until a command lets it go (lock-step): then the same commands
// give the same bytes at the same cycles, whatever the machine has to do beside. "x 1" lets it run with real time.
//
// Rows, columns and cycles are counted from 0, places from 1. Where AFTER (microseconds) may stand at the end, the
// thing happens so much later; what is planned happens to the cycle, not at the end of a run.
//
//   s ROW COLUMN 0|1 [AFTER]         open or close a contact (the last row is the buttons')
//   b ROW COLUMN N US [AFTER]        turn a contact over N times, US microseconds apart
//   v PLACE VOLTS [US [AFTER]]       what a Hall sensor gives; reached within US microseconds
//   noise_v VOLTS                    that much up or down on each reading
//   supply VOLTS
//   reset                            the EEPROM stays
//   clear                            nothing on the board, nothing planned, a supply of 5 V; and a reset
//   off | on                         the supply
//   run MS                           let MS milliseconds go by
//   until MS                         the same, but stop behind the first frame that reached the host
//   x SPEED                          1: with real time, 0: as fast as it goes, -1: stand still again
//   tx HEX                           bytes from the host, at 115200 baud
//   drop N | garble N                the next N bytes to the host are lost, or changed
//   noise HEX                        bytes that reach the host without having been sent
//   lights                           RRGGBB of each light
//   eeprom ADDRESS [HEX]             16 bytes from there; or write
//   ?                                figures, as JSON
//   q
//
// The bytes that reached the host since the last answer are behind CYCLES, as CYCLES:HEX a frame (or piece of one), and
// behind those " = " and what was asked. While time runs by itself they are told in lines of their own, "> CYCLES:HEX".
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

import { EEPROMMemoryBackend } from 'avr8js';

import { Chip, HERTZ, RAM_END, readHex } from './chip.mjs';
import { Hall } from './hall.mjs';
import { Lights } from './lights.mjs';
import { Matrix } from './matrix.mjs';

const LINES = { 32: [8, 4], 50: [10, 5], 64: [8, 8] };
const BUTTONS = 3;
const EEPROM_BYTES = 1024;
const MICROSECOND = HERTZ / 1e6;
const MILLISECOND = HERTZ / 1e3;
const BYTE_FROM_HOST = (10 * HERTZ) / 115200;
const PACE_EVERY = 2; // ms
const PIECE = 20 * MILLISECOND; // commands are heard between two
const LAG_FORGIVEN = 500 * MILLISECOND;

class Queue {
  // What is to happen at a cycle, in order; at the same cycle, in the order in which it was planned.
  constructor() {
    this.planned = [];
  }

  plan(when, act) {
    const at = Math.ceil(when);
    let i = this.planned.length;
    while (i > 0 && this.planned[i - 1].at <= at) i--;
    this.planned.splice(i, 0, { at, act }); // the next one is the last
  }

  get next() {
    return this.planned.length ? this.planned[this.planned.length - 1].at : Infinity;
  }

  take() {
    return this.planned.pop().act;
  }

  clear() {
    this.planned = [];
  }
}

class Board {
  constructor(image, { places, hall, diodes }) {
    this.flash = readHex(readFileSync(image, 'latin1'));
    this.eeprom = new EEPROMMemoryBackend(EEPROM_BYTES);
    this.queue = new Queue();
    this.chip = null;
    this.startedAt = 0; // the chip counts its own cycles from its start
    this.time = 0; // cycles, while the supply is off
    this.clock = 0; // up to where it was let go: the chip finishes its instruction, so `now` may be some cycles more
    this.lineFreeAt = 0;
    this.dropped = this.garbled = 0;
    this.heard = []; // [cycles, bytes] pieces at the host's end
    this.frameEnded = false;
    this.supply = 5;
    this.sent = this.resets = this.overruns = 0;
    const now = () => this.now;
    this.sensors = hall ? new Hall(places, now) : new Matrix(...LINES[places], diodes);
    this.lines = LINES[places];
    this.lights = new Lights(now);
    this.start();
  }

  get now() {
    return this.chip ? this.startedAt + this.chip.cpu.cycles : this.time;
  }

  start() {
    this.stop();
    this.startedAt = this.time;
    this.chip = new Chip(this.flash, this.eeprom, {
      transmitted: (byte, cycles) => this.#transmitted(byte, this.now + cycles),
      volts: (channel) => (this.sensors instanceof Hall ? this.sensors.part(channel) : 0),
      supply: () => this.supply,
    });
    this.sensors.attach(this.chip);
    this.lights.attach(this.chip);
  }

  stop() {
    if (!this.chip) return;
    this.time = this.now;
    this.overruns += this.chip.overruns;
    this.resets++;
    this.chip = null;
    this.sensors.detach();
  }

  #transmitted(byte, at) {
    const { chip } = this;
    chip.limit = Math.min(chip.limit, at - this.startedAt);
    this.queue.plan(at, () => {
      // What was still in the transmitter when the chip was reset is lost.
      if (this.chip === chip) this.#toHost(byte, at);
    });
  }

  #toHost(byte, at) {
    this.sent++;
    if (this.dropped) {
      this.dropped--;
      return;
    }
    if (this.garbled) {
      this.garbled--;
      byte ^= 0x55;
    }
    this.hear(byte, at);
  }

  // A byte reached the host.
  hear(byte, at) {
    const last = this.heard[this.heard.length - 1];
    if (last && !last.ended) {
      last.at = at;
      last.bytes.push(byte);
      last.ended = byte === 0;
    } else {
      this.heard.push({ at, bytes: [byte], ended: byte === 0 });
    }
    if (byte === 0) this.frameEnded = true;
  }

  fromHost(bytes) {
    for (const byte of bytes) {
      this.lineFreeAt = Math.max(this.lineFreeAt, this.clock) + BYTE_FROM_HOST;
      this.queue.plan(this.lineFreeAt, () => this.chip?.receive(byte));
    }
  }

  // Let time go by up to `limit` cycles; `stops`: but only to the end of a frame.
  run(until, stops = false) {
    const limit = Math.round(until);
    this.frameEnded = false;
    for (;;) {
      if (this.chip) this.chip.run(Math.min(limit, this.queue.next) - this.startedAt);
      const at = Math.min(limit, this.queue.next); // the chip may have planned something that comes first
      if (!this.chip) this.time = Math.max(this.time, at);
      this.clock = Math.max(this.clock, at);
      while (this.queue.next <= at) this.queue.take()();
      if (at >= limit || (stops && this.frameEnded)) return;
    }
  }

  clear() {
    this.queue.clear();
    this.lineFreeAt = 0;
    this.dropped = this.garbled = 0;
    this.supply = 5;
    this.sensors.clear();
    this.start();
  }

  // Whether there is such a contact, before it is planned for later.
  check(row, column) {
    const [lines, perLine] = this.lines;
    const columns = row === lines ? BUTTONS : row >= 0 && row < lines && this.sensors instanceof Matrix ? perLine : 0;
    if (!(column >= 0 && column < columns)) throw new Error(`there is no contact ${row} ${column}`);
  }

  checkPlace(place) {
    if (!(this.sensors instanceof Hall && place >= 1 && place <= this.sensors.places))
      throw new Error(`there is no Hall sensor ${place}`);
  }

  turn(row, column, times, apart) {
    this.contact(row, column, !this.closed(row, column));
    if (times > 1) this.queue.plan(this.clock + apart, () => this.turn(row, column, times - 1, apart));
  }

  closed(row, column) {
    return this.sensors instanceof Hall ? this.sensors.pressed >> column & 1 : this.sensors.get(row, column);
  }

  contact(row, column, closed) {
    if (this.sensors instanceof Hall) this.sensors.press(column, closed);
    else this.sensors.set(row, column, closed);
  }

  figures() {
    const cycles = ([least, most]) => (most ? [least / MICROSECOND, most / MICROSECOND] : null);
    return {
      seconds: this.clock / HERTZ,
      cpu_seconds: (process.cpuUsage().user + process.cpuUsage().system) / 1e6,
      asleep: this.chip ? this.chip.slept / Math.max(this.chip.cpu.cycles, 1) : 0,
      stack_bytes: this.chip ? RAM_END - this.chip.lowestStack : 0,
      bytes_sent: this.sent,
      bytes_overrun: this.overruns + (this.chip?.overruns ?? 0),
      resets: this.resets,
      shows: this.lights.shows,
      high_0_us: cycles(this.lights.high[0]),
      high_1_us: cycles(this.lights.high[1]),
      pause_us: this.lights.longestPause / MICROSECOND,
    };
  }
}

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    hall: { type: 'boolean', default: false },
    'no-diodes': { type: 'boolean', default: false },
    places: { type: 'string', default: '50' },
  },
});
const board = new Board(positionals[0], {
  places: Number(options.places),
  hall: options.hall,
  diodes: !options['no-diodes'],
});

// What reached the host since this was asked before.
function heard() {
  const pieces = board.heard;
  board.heard = [];
  return pieces.map(({ at, bytes }) => ` ${at}:${Buffer.from(bytes).toString('hex')}`).join('');
}

let pace = null;

// With real time (or as fast as it goes, in pieces, so that commands are heard).
function go(speed) {
  clearTimeout(pace);
  pace = null;
  if (speed < 0) return;
  let from = board.clock;
  let since = performance.now();
  const step = () => {
    if (speed === 0) {
      board.run(board.clock + PIECE);
    } else {
      const due = from + (performance.now() - since) * MILLISECOND * speed;
      board.run(Math.min(due, board.clock + PIECE));
      if (due - board.clock > LAG_FORGIVEN) {
        from = board.clock;
        since = performance.now();
      }
    }
    const pieces = heard();
    if (pieces) process.stdout.write(`>${pieces}\n`);
    pace = setTimeout(step, speed === 0 ? 0 : PACE_EVERY);
  };
  step();
}

const later = (after, act) => {
  if (after === undefined) act();
  else board.queue.plan(board.clock + Number(after) * MICROSECOND, act);
};

const commands = {
  s: (row, column, closed, after) => {
    board.check(+row, +column);
    later(after, () => board.contact(+row, +column, +closed));
  },
  b: (row, column, times, apart, after) => {
    board.check(+row, +column);
    later(after, () => board.turn(+row, +column, +times, apart * MICROSECOND));
  },
  v: (place, volts, within = 0, after = undefined) => {
    board.checkPlace(+place);
    later(after, () => board.sensors.set(+place, +volts, within * MICROSECOND));
  },
  noise_v: (volts) => { board.sensors.noise = +volts; },
  supply: (volts) => { board.supply = +volts; },
  reset: () => board.start(),
  clear: () => board.clear(),
  off: () => board.stop(),
  on: () => board.start(),
  run: (ms) => board.run(board.clock + ms * MILLISECOND),
  until: (ms) => board.run(board.clock + ms * MILLISECOND, true),
  x: (speed) => go(+speed),
  tx: (hex) => board.fromHost(Buffer.from(hex, 'hex')),
  drop: (count) => { board.dropped += +count; },
  garble: (count) => { board.garbled += +count; },
  noise: (hex) => { for (const byte of Buffer.from(hex, 'hex')) board.hear(byte, board.clock); },
  lights: () => board.lights.look().map((rgb) => Buffer.from(rgb).toString('hex')).join(','),
  eeprom: (address, hex) => {
    const bytes = hex === undefined ? null : Buffer.from(hex, 'hex');
    if (bytes) board.eeprom.memory.set(bytes, +address);
    else return Buffer.from(board.eeprom.memory.subarray(+address, +address + 16)).toString('hex');
  },
  '?': () => JSON.stringify(board.figures()),
  q: () => process.exit(0),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const [name, ...words] = line.trim().split(/\s+/);
  try {
    if (!Object.hasOwn(commands, name)) throw new Error(`there is no command ${name}`);
    const answer = commands[name](...words);
    process.stdout.write(`ok ${board.clock}${heard()}${answer === undefined ? '' : ` = ${answer}`}\n`);
  } catch (error) {
    process.stdout.write(`error ${error.message}\n`);
  }
}).on('close', () => process.exit(0)); // whoever started it is gone
