// Linear Hall sensors behind four multiplexers of sixteen channels, and three buttons to ground.
//
// A select line that is no output counts as low, and a button's pin whose pull-up is not on reads low.
import { HERTZ } from './chip.mjs';

const CHANNELS = 16;
const SELECT = 0x0f; // of port B
const BUTTONS = 0x1c; // of port D
const FIRST_BUTTON = 2;
const SUPPLY = 5; // the volts at which the sensors' volts are meant; they follow the supply
// From the switch until the converter's pin has the voltage to half a count: a slow sensor's output, the multiplexer's 70
// to 130 ohm, and the wire's capacitance, which the sensor before has charged. An assumption, and a careful one.
const SETTLES_IN = 5e-6 * HERTZ;

export class Hall {
  // `now()`: cycles.
  constructor(places, now) {
    this.places = places;
    this.chip = null;
    this.now = now;
    this.clear();
  }

  detach() {
    this.chip = null;
  }

  // For the start after it.
  clear() {
    const rest = SUPPLY / 2;
    this.noise = 0; // volts, up or down
    this.ways = Array.from({ length: this.places }, () => ({ from: rest, to: rest, since: 0, until: 0 }));
    this.pressed = 0;
    this.random = 1;
  }

  attach(chip) {
    this.chip = chip;
    const selected = () => chip.cpu.data[chip.b.portConfig.DDR] & chip.cpu.data[chip.b.portConfig.PORT] & SELECT;
    this.selected = this.before = selected();
    this.selectedAt = this.now();
    chip.b.addListener(() => {
      if (selected() === this.selected) return;
      this.before = this.selected;
      this.selected = selected();
      this.selectedAt = this.now();
    });
    chip.d.addListener(() => this.#drive());
    this.#drive();
  }

  // Go to `volts` within so many cycles, evenly.
  set(place, volts, cycles) {
    const now = this.now();
    this.ways[place - 1] = { from: this.#volts(place - 1), to: volts, since: now, until: now + cycles };
  }

  press(button, closed) {
    this.pressed = closed ? this.pressed | (1 << button) : this.pressed & ~(1 << button);
    if (this.chip) this.#drive();
  }

  #drive() {
    const { d, cpu: { data } } = this.chip;
    const pulledUp = ~data[d.portConfig.DDR] & data[d.portConfig.PORT];
    this.chip.drive(d, BUTTONS, pulledUp & ~(this.pressed << FIRST_BUTTON));
  }

  #volts(index) {
    const { from, to, since, until } = this.ways[index];
    const now = this.now();
    return now >= until ? to : from + ((to - from) * (now - since)) / (until - since);
  }

  // What a pin of the converter gets, as a part of the supply.
  part(multiplexer) {
    const channel = this.now() - this.selectedAt < SETTLES_IN ? this.before : this.selected;
    const index = multiplexer * CHANNELS + channel;
    if (index >= this.places) return 0;
    return (this.#volts(index) + this.noise * this.#uneven()) / SUPPLY;
  }

  // -1 to 1, the same ones in each run (xorshift).
  #uneven() {
    this.random ^= this.random << 13;
    this.random ^= this.random >>> 17;
    this.random ^= this.random << 5;
    return this.random / 0x80000000;
  }
}
