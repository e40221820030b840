// The ATmega328P at 16 MHz: avr8js, with cures for where it is not like the chip.
//
// What firmware forgets to set up must not work here by chance: the line garbles what is not sent at 115200 baud 8N1,
// the converter gives what its reference and its clock are good for, and a sleep from which nothing wakes ends it.
//
// Each cure stands beside the trap it is for, and has a test in chip.test.mjs: the scenarios of the firmware are green
// without most of them, until traffic is so heavy that two things fall together.
import {
  adcConfig, AVRADC, AVREEPROM, avrInstruction, AVRIOPort, AVRTimer, AVRUSART, CPU, portBConfig, portCConfig,
  portDConfig, timer1Config, usart0Config,
} from 'avr8js';

export const HERTZ = 16_000_000;
const FLASH_BYTES = 32768;
const RAM_BYTES = 2048;
export const RAM_END = 0x8ff;

const SLEEP = 0x9588;
const SEI = 0x9478;
const SLEEP_CONTROL = 0x53; // SMCR: how deep in bits 3 to 1, and whether at all
const SLEEP_ON = 0x01;
const { UCSRA, UCSRB, UCSRC, UDR } = usart0Config;
const BAUD = 115200;
const BAUD_OFF = 0.03;
const FRAME_8N1 = 0x06; // UCSRC: asynchronous, no parity, one stop bit, eight bits; the ninth in UCSRB is off
const NINTH_BIT = 0x04;
const GARBLES = 0x55;
const TRANSMITTER_ON = 0x08; // TXEN in UCSRB
const RECEIVED = 0x80; // RXC in UCSRA
const RECEIVER_ON = 0x10; // RXEN in UCSRB
const RECEIVER_HOLDS = 2; // bytes, beside the one that is coming in
const { ADCSRA, ADMUX } = adcConfig;
const ADC_ON = 0x80;
const ADC_START = 0x40;
const ADC_FASTEST = 1e6; // Hz; "up to 1 MHz" where eight bits are enough
const ADC_SAMPLES_AT = 1.5; // of the converter's own cycles, from the start of a conversion
const FROM_SUPPLY = 1; // REFS in ADMUX; nothing is connected to AREF (0)
const FROM_REFERENCE = 3;
const REFERENCE = 14;
const REFERENCE_VOLTS = 1.1;
const REFERENCE_SETTLES = 70e-6 * HERTZ;

export function readHex(text) {
  const flash = new Uint8Array(FLASH_BYTES).fill(0xff);
  for (const line of text.split('\n')) {
    if (!line.startsWith(':')) continue;
    const bytes = Buffer.from(line.slice(1).trim(), 'hex');
    if (bytes.reduce((sum, byte) => sum + byte, 0) & 0xff) throw new Error(`a line of the image is damaged: ${line}`);
    if (bytes[3] === 0) flash.set(bytes.subarray(4, 4 + bytes[0]), bytes.readUInt16BE(1));
  }
  return flash;
}

export class Chip {
  // `transmitted(byte, cycles)`: a byte will have left after so many cycles.
  // `volts(channel)`: at a pin of the converter, as a part of the supply (0 to 1).
  constructor(flash, eeprom, { transmitted, volts, supply }) {
    // Trap: cpu.reset() leaves what the peripherals remember. Cure: a reset is a new Chip; only the EEPROM stays.
    const cpu = new CPU(new Uint16Array(flash.buffer), RAM_BYTES);
    this.cpu = cpu;
    this.b = new AVRIOPort(cpu, portBConfig);
    this.c = new AVRIOPort(cpu, portCConfig);
    this.d = new AVRIOPort(cpu, portDConfig);
    this.timer = new AVRTimer(cpu, timer1Config);
    this.eeprom = new AVREEPROM(cpu, eeprom);
    this.sleeping = false;
    this.slept = 0; // cycles
    this.limit = 0;
    this.lowestStack = RAM_END;
    this.overruns = 0;
    this.#receiver(transmitted);
    this.#converter(volts, supply);
    this.#timerEvents();
  }

  #receiver(transmitted) {
    const { cpu } = this;
    const usart = (this.usart = new AVRUSART(cpu, usart0Config, HERTZ));
    usart.onByteTransmit = (byte) => {
      if (cpu.data[UCSRB] & TRANSMITTER_ON) transmitted(this.#throughLine(byte), usart.cyclesPerChar);
    };

    // Trap: "transmitter empty" is forgotten when its interrupt is taken; on the chip it is a level, and an interrupt
    // that is switched off while nothing is to be sent comes again when it is switched on. Cure:
    usart.UDRE.constant = true;

    // Trap: a write to UCSRB with the receiver on forgets a received byte that was not read yet.
    // Trap: a byte that was not read is overwritten by the next; the chip holds two, and a third in its shift register.
    // Cure for both: what was received is kept here.
    const held = (this.held = []);
    const control = cpu.writeHooks[UCSRB];
    cpu.writeHooks[UCSRB] = (value, old, address, mask) => {
      const done = control(value, old, address, mask);
      if (held.length && value & RECEIVER_ON) cpu.setInterruptFlag(usart.RXC);
      return done;
    };
    cpu.readHooks[UDR] = () => {
      const byte = held.shift() ?? 0;
      cpu.clearInterrupt(usart.RXC);
      if (held.length) cpu.setInterruptFlag(usart.RXC);
      return byte;
    };
  }

  // What arrives of a byte: the other end has 115200 baud and 8N1.
  #throughLine(byte) {
    const { data } = this.cpu;
    const { baudRate } = this.usart;
    const alike = Math.abs(baudRate / BAUD - 1) <= BAUD_OFF && data[UCSRC] === FRAME_8N1 && !(data[UCSRB] & NINTH_BIT);
    return alike ? byte : byte ^ GARBLES;
  }

  // A byte from the line has come in whole.
  receive(sent) {
    if (!(this.cpu.data[UCSRB] & RECEIVER_ON)) return;
    const byte = this.#throughLine(sent);
    if (this.held.length > RECEIVER_HOLDS) {
      this.overruns++;
      this.held[RECEIVER_HOLDS] = byte;
      return;
    }
    this.held.push(byte);
    this.cpu.setInterruptFlag(this.usart.RXC);
  }

  #converter(volts, supply) {
    const { cpu } = this;
    const adc = (this.adc = new AVRADC(cpu, adcConfig));
    let selected = 0;
    let held = 0; // by the converter's capacitor, as a part of the supply
    cpu.writeHooks[ADMUX] = (value, old) => {
      if (value !== old) selected = cpu.cycles;
    };
    // What is sampled at a pin; the reference comes slowly, from what was sampled before.
    const sampled = (channel) => {
      if (channel < 8) return volts(channel);
      if (channel !== REFERENCE) return 0;
      const settled = Math.min((cpu.cycles - selected) / REFERENCE_SETTLES, 1);
      return held + (REFERENCE_VOLTS / supply() - held) * settled;
    };
    const scale = (from) => {
      if (HERTZ / adc.prescaler > ADC_FASTEST) return 0;
      if (from === FROM_SUPPLY) return 1024;
      return from === FROM_REFERENCE ? (1024 * supply()) / REFERENCE_VOLTS : Infinity;
    };
    adc.onADCRead = () => {
      const channel = cpu.data[ADMUX] & 0x0f; // another one that is chosen now is for the next conversion
      const from = cpu.data[ADMUX] >> 6;
      let reading = 0;
      cpu.addClockEvent(() => {
        const part = sampled(channel);
        if (channel < 8) held = part;
        reading = part > 0 ? Math.min(Math.max(Math.floor(part * scale(from)), 0), 1023) : 0;
      }, ADC_SAMPLES_AT * adc.prescaler);
      cpu.addClockEvent(() => adc.completeADCRead(reading), adc.sampleCycles);
    };
    // Trap: the flag "converted" (ADIF) is set, not cleared, by writing a one to it. Cure: firmware waits for ADSC.
  }

  // Trap: a running timer has an event each period of its prescaler, 250 a millisecond, and sleep goes from event to
  // event. Cure: its event is put off to where the counter meets OCR1A (it reckons what went by in between by itself).
  #timerEvents() {
    const { cpu, timer } = this;
    const add = cpu.addClockEvent.bind(cpu);
    cpu.addClockEvent = (callback, cycles) => {
      if (callback === timer.count && timer.divider && !timer.updateDivider && timer.topValue === 1)
        cycles = timer.lastCycle + (timer.ocrA - timer.tcnt || 1) * timer.divider - cpu.cycles;
      return add(callback, cycles);
    };
  }

  // Run until `limit` cycles since the start; an instruction that has begun is finished. `limit` may be drawn nearer
  // meanwhile, by what the chip does itself.
  run(limit) {
    const { cpu } = this;
    const { progMem: program, data } = cpu;
    this.limit = limit;
    while (cpu.cycles < this.limit) {
      if (this.sleeping && !this.#wakes()) return;
      const opcode = program[cpu.pc];
      avrInstruction(cpu);
      if (opcode === SLEEP && data[SLEEP_CONTROL] & SLEEP_ON) {
        if (data[SLEEP_CONTROL] !== SLEEP_ON) throw new Error('the firmware sleeps so deep that no timer wakes it');
        this.sleeping = true;
        // The chip starts a conversion when it goes to sleep, if the converter is on.
        if (data[ADCSRA] & ADC_ON && !this.adc.converting)
          cpu.writeData(ADCSRA, data[ADCSRA] | ADC_START);
        continue;
      }
      // Trap: an interrupt that waits is taken right behind SEI; on the chip one more instruction runs. With "sei,
      // sleep" the interrupt came before the sleep, and what it had to say was slept through. Cure:
      if (opcode === SEI) continue;
      cpu.tick();
      const stack = data[0x5d] | data[0x5e] << 8;
      if (stack < this.lowestStack && stack > 0x100) this.lowestStack = stack;
    }
  }

  // Trap: SLEEP does nothing, so the processor is never idle. Cure: go to the next event, but take an interrupt that
  // waits already (a first version lost it, and the board stood still after some seconds of heavy traffic).
  #wakes() {
    const { cpu } = this;
    const asleep = cpu.pc;
    while (cpu.nextInterrupt < 0) {
      const at = Math.min(cpu.nextClockEvent?.cycles ?? Infinity, this.limit);
      if (at > cpu.cycles) {
        this.slept += at - cpu.cycles;
        cpu.cycles = at;
      }
      if (at === this.limit) return false; // and goes on sleeping in the next run, however a time is cut into runs
      cpu.tick();
      if (cpu.pc !== asleep) break;
    }
    if (cpu.pc === asleep) cpu.tick();
    if (!(this.sleeping = cpu.pc === asleep)) return true;
    throw new Error('the firmware sleeps with its interrupts off');
  }

  // Pins of a port as the world outside drives them: `value` within `mask`.
  drive(port, mask, value) {
    const pins = (port.pinValue & ~mask) | (value & mask);
    if (pins === port.pinValue) return;
    port.pinValue = pins;
    port.updatePinRegister(this.cpu.data[port.portConfig.DDR]);
  }
}
