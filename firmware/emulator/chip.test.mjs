// The cures in chip.mjs, each by a program of a few words; run by `node --test`, from tests/firmware.
import assert from 'node:assert/strict';
import test from 'node:test';

import { EEPROMMemoryBackend } from 'avr8js';

import { Chip } from './chip.mjs';

const SEI = 0x9478, SLEEP = 0x9588, RETI = 0x9518, COUNT_INTERRUPT = 0x9503 /* inc r16 */, COUNT_WAKE = 0x9513 /* inc r17 */;
const BACK_TO_SELF = 0xcfff, BACK_TO_SLEEP = 0xcffd;
const TICK = 0x16, EMPTY = 0x26; // vectors, in words
const UCSRA = 0xc0, UCSRB = 0xc1, UDR = 0xc6, TIMSK1 = 0x6f, ADMUX = 0x7c, ADCSRA = 0x7a, ADCH = 0x79;
const SMCR = 0x53, UCSRC = 0xc2, UBRRL = 0xc4;
const RECEIVED = 0x80, RECEIVER = 0x10, TRANSMITTER = 0x08, WHEN_EMPTY = 0x20;

function chip(words, vectors = {}) {
  const flash = new Uint8Array(32768);
  const program = new Uint16Array(flash.buffer);
  program.set(words, 0);
  for (const [vector, code] of Object.entries(vectors)) program.set(code, Number(vector));
  const made = new Chip(flash, new EEPROMMemoryBackend(16), {
    transmitted: (byte) => sent.push(byte),
    volts: () => 0.5,
    supply: () => 5,
  });
  sent.length = 0;
  write(made, [[SMCR, 0x01]]);
  return made;
}

const sent = [];

function write({ cpu }, registers) {
  for (const [register, value] of registers) cpu.writeData(register, value);
}

const AT_115200 = [[UCSRA, 0x02], [UBRRL, 16]];

const registers = ({ cpu }) => ({ interrupts: cpu.data[16], wakes: cpu.data[17] });

test('an empty transmitter interrupts as long as it is empty', () => {
  const board = chip([SEI, BACK_TO_SELF], { [EMPTY]: [COUNT_INTERRUPT, RETI] });
  board.cpu.writeData(UCSRB, TRANSMITTER | WHEN_EMPTY);
  board.run(100);
  assert(registers(board).interrupts > 3);
});

test('a received byte outlasts a write to the control register, and two more are held', () => {
  const board = chip([BACK_TO_SELF]);
  write(board, AT_115200);
  board.cpu.writeData(UCSRB, RECEIVER);
  for (const byte of [1, 2, 3]) board.receive(byte);
  board.cpu.writeData(UCSRB, RECEIVER | TRANSMITTER);
  assert(board.cpu.data[UCSRA] & RECEIVED);
  assert.deepEqual([1, 2, 3].map(() => board.cpu.readData(UDR)), [1, 2, 3]);
  assert(!(board.cpu.data[UCSRA] & RECEIVED));
  assert.equal(board.overruns, 0);
  for (const byte of [1, 2, 3, 4]) board.receive(byte);
  assert.equal(board.overruns, 1);
});

test('an interrupt that waits at "sei, sleep" ends the sleep', () => {
  const board = chip([SEI, SLEEP, COUNT_WAKE, BACK_TO_SELF], { [TICK]: [COUNT_INTERRUPT, RETI] });
  board.cpu.writeData(TIMSK1, 0x02);
  board.cpu.setInterruptFlag(board.timer.OCFA);
  board.run(100);
  assert.deepEqual(registers(board), { interrupts: 1, wakes: 1 });
});

test('a millisecond is 16000 cycles, and sleep goes there at once, however the time is cut', () => {
  const run = (cut) => {
    const board = chip([SEI, SLEEP, COUNT_WAKE, BACK_TO_SLEEP], { [TICK]: [COUNT_INTERRUPT, RETI] });
    for (const [register, value] of [[0x89, 0], [0x88, 249], [TIMSK1, 0x02], [0x81, 0x0b]])
      board.cpu.writeData(register, value);
    for (let at = cut; at <= 160_100; at += cut) board.run(at);
    return { ...registers(board), cycles: board.cpu.cycles };
  };
  const whole = run(160_100);
  assert.deepEqual({ interrupts: whole.interrupts, wakes: whole.wakes }, { interrupts: 10, wakes: 10 });
  assert.deepEqual(run(100), whole);
});

test('only 115200 baud and 8N1 are heard, both ways', () => {
  const through = (registers) => {
    const board = chip([BACK_TO_SELF]);
    write(board, [...AT_115200, ...registers]);
    board.cpu.writeData(UCSRB, RECEIVER | TRANSMITTER);
    board.cpu.writeData(UDR, 0x42);
    board.receive(0x42);
    return [sent[0], board.cpu.readData(UDR)];
  };
  assert.deepEqual(through([]), [0x42, 0x42]);
  for (const wrong of [
    [[UBRRL, 15]], [[UBRRL, 17]], [[UCSRA, 0]], // 125000, 111111, 58824 baud
    [[UCSRC, 0x26]], [[UCSRC, 0x36]], [[UCSRC, 0x04]], [[UCSRC, 0x0e]], [[UCSRC, 0x46]],
  ]) {
    for (const byte of through(wrong)) assert.notEqual(byte, 0x42);
  }
});

test('a transmitter that is off sends nothing', () => {
  const board = chip([BACK_TO_SELF]);
  board.cpu.writeData(UDR, 0x42);
  assert.deepEqual(sent, []);
});

test('sleep has to be allowed, and not so deep that the timer stops', () => {
  const board = chip([SLEEP, BACK_TO_SELF]);
  board.cpu.writeData(SMCR, 0);
  board.run(100);
  assert.equal(board.slept, 0);
  const deep = chip([SLEEP, BACK_TO_SELF]);
  deep.cpu.writeData(SMCR, 0x05);
  assert.throws(() => deep.run(100), /so deep/);
});

test('the converter gives what its reference and its clock are good for', () => {
  const converted = (mux, control) => {
    const board = chip([BACK_TO_SELF]);
    board.cpu.writeData(ADMUX, mux);
    board.cpu.writeData(ADCSRA, control | 0x40);
    board.run(4000);
    return board.cpu.data[ADCH];
  };
  assert.equal(converted(0x60, 0x85), 128); // the supply, 500 kHz
  assert.equal(converted(0x60, 0x84), 128); // 1 MHz
  assert.equal(converted(0x60, 0x83), 0); // 2 MHz
  assert.equal(converted(0x20, 0x85), 255); // nothing at AREF
  assert.equal(converted(0xe0, 0x85), 255); // 2.5 V against 1.1 V
});

test('the reference needs its time after it was selected, and sleep starts a conversion', () => {
  const board = chip([SLEEP, BACK_TO_SELF]);
  board.cpu.writeData(ADMUX, 0x6e);
  board.cpu.writeData(ADCSRA, 0x85);
  board.run(1000);
  assert.equal(board.cpu.data[ADCSRA], 0x95); // converted
  assert(board.cpu.data[ADCH] > 0 && board.cpu.data[ADCH] < 20); // on its way
  board.run(2000);
  board.cpu.writeData(ADCSRA, 0x85 | 0x40);
  board.run(4000);
  assert.equal(board.cpu.data[ADCH], Math.floor((1.1 / 5) * 256));
});
