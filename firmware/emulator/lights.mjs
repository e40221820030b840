// A chain of WS2812 that reads its data by the time that the pin is high, and notes how well that time was kept.
import { HERTZ } from './chip.mjs';

const DATA = 5; // of port B
const MICROSECOND = HERTZ / 1e6;
const ONE_FROM = 0.55 * MICROSECOND;
const ENDS_AFTER = 50 * MICROSECOND; // low for so long: what was sent is shown
const BITS = 24; // green, red, blue

export class Lights {
  constructor(now) {
    this.now = now;
    this.bits = [];
    this.shown = []; // [red, green, blue] of each
    this.shows = 0;
    this.high = { 0: [Infinity, 0], 1: [Infinity, 0] }; // shortest and longest, cycles
    this.longestPause = 0; // within one chain, cycles
    this.level = 0;
    this.since = 0;
  }

  attach(chip) {
    this.level = 0;
    this.since = this.now();
    chip.b.addListener((value) => this.#pin((chip.cpu.data[chip.b.portConfig.DDR] & value) >> DATA & 1));
  }

  #pin(level) {
    if (level === this.level) return;
    const now = this.now();
    const lasted = now - this.since;
    if (level) {
      if (!this.#end(lasted) && this.bits.length) this.longestPause = Math.max(this.longestPause, lasted);
    } else {
      const bit = lasted >= ONE_FROM ? 1 : 0;
      const range = this.high[bit];
      range[0] = Math.min(range[0], lasted);
      range[1] = Math.max(range[1], lasted);
      this.bits.push(bit);
    }
    this.level = level;
    this.since = now;
  }

  #end(low) {
    if (low < ENDS_AFTER || !this.bits.length) return false;
    const bytes = [];
    for (let i = 0; i + 8 <= this.bits.length; i += 8)
      bytes.push(this.bits.slice(i, i + 8).reduce((byte, bit) => byte << 1 | bit, 0));
    // Lights beyond those that were sent keep their colours.
    for (let i = 0; i + BITS <= this.bits.length; i += BITS) {
      const [green, red, blue] = bytes.slice(i / 8, i / 8 + 3);
      this.shown[i / BITS] = [red, green, blue];
    }
    this.bits = [];
    this.shows++;
    return true;
  }

  look() {
    if (!this.level) this.#end(this.now() - this.since);
    return this.shown;
  }
}
