// A new alert makes the phone vibrate and, where the person has asked for it, sound. Asks the browser for no permission.

const KEPT = { vibration: "damas-console-vibration", sound: "damas-console-sound" };
const PATTERN = { irregular: [200, 90, 200], warning: [160], note: [] };
const TONES = { irregular: [880, 660], warning: [660], note: [] };
const TONE_SECONDS = 0.16;

let player = null;

const kept = (what, usual) => {
  try {
    return (localStorage.getItem(KEPT[what]) ?? usual) === "on";
  } catch {
    return usual === "on";
  }
};

export const chosen = { vibration: kept("vibration", "on"), sound: kept("sound", "off") };
export const canVibrate = "vibrate" in navigator;

export function choose(what, on) {
  chosen[what] = on;
  try {
    localStorage.setItem(KEPT[what], on ? "on" : "off");
  } catch {
    // it holds until the page is closed
  }
  if (what === "sound" && on) sound("warning");
  if (what === "vibration" && on) vibrate("warning");
}

export function ring(severity) {
  if (chosen.vibration) vibrate(severity);
  if (chosen.sound) sound(severity);
}

function vibrate(severity) {
  if (canVibrate && PATTERN[severity]?.length) navigator.vibrate(PATTERN[severity]);
}

function sound(severity) {
  player ??= new AudioContext();
  player.resume();
  (TONES[severity] ?? []).forEach((tone, index) => {
    const begin = player.currentTime + index * TONE_SECONDS * 1.2;
    const volume = player.createGain();
    volume.gain.setValueAtTime(0, begin);
    volume.gain.linearRampToValueAtTime(0.25, begin + 0.02);
    volume.gain.linearRampToValueAtTime(0, begin + TONE_SECONDS);
    const wave = player.createOscillator();
    wave.frequency.value = tone;
    wave.connect(volume).connect(player.destination);
    wave.start(begin);
    wave.stop(begin + TONE_SECONDS);
  });
}
