// The cures in chip.mjs, each by a program of a few words; run by `node --test`, from tests/firmware.
import assert from 'node:assert/strict';
import test from 'node:test';

import { EEPROMMemoryBackend } from 'avr8js';

import { Chip } from './chip.mjs';

const SEI = 0x9478, SLEEP = 0x9588, RETI = 0x9518, COUNT_INTERRUPT = 0x9503 /* inc r16 */, COUNT_WAKE = 0x9513 /* inc r17 */;
const BACK_TO_SELF = 0xcfff, BACK_TO_SLEEP = 0xcffd;
const TICK = 0x16, EMPTY = 0x26; // vectors, in words
const UCSRA = 0xc0, UCSRB = 0xc1, UDR = 0xc6, TIMSK1 = 0x6f, ADMUX = 0x7c, ADCSRA = 0x7a, ADCH = 0x79;
const RECEIVED = 0x80, RECEIVER = 0x10, TRANSMITTER = 0x08, WHEN_EMPTY = 0x20;

function chip(words, vectors = {}) {
  const flash = new Uint8Array(32768);
  const program = new Uint16Array(flash.buffer);
  program.set(words, 0);
  for (const [vector, code] of Object.entries(vectors)) program.set(code, Number(vector));
  return new Chip(flash, new EEPROMMemoryBackend(16), { transmitted() {}, volts: () => 0.5, supply: () => 5 });
}

const registers = ({ cpu }) => ({ interrupts: cpu.data[16], wakes: cpu.data[17] });

test('an empty transmitter interrupts as long as it is empty', () => {
  const board = chip([SEI, BACK_TO_SELF], { [EMPTY]: [COUNT_INTERRUPT, RETI] });
  board.cpu.writeData(UCSRB, TRANSMITTER | WHEN_EMPTY);
  board.run(100);
  assert(registers(board).interrupts > 3);
});

test('a received byte outlasts a write to the control register, and two more are held', () => {
  const board = chip([BACK_TO_SELF]);
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

test('the reference needs its time after it was selected, and sleep starts a conversion', () => {
  const board = chip([SLEEP, BACK_TO_SELF]);
  board.cpu.writeData(ADMUX, 0x6e);
  board.cpu.writeData(ADCSRA, 0x85);
  board.run(1000);
  assert.equal(board.cpu.data[ADCSRA], 0x95); // converted
  assert.equal(board.cpu.data[ADCH], 0);
  board.run(2000);
  board.cpu.writeData(ADCSRA, 0x85 | 0x40);
  board.run(4000);
  assert.equal(board.cpu.data[ADCH], Math.floor((1.1 / 5) * 256));
});
