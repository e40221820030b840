// The list of files in the reader's language; without scripts it is in English.

import { say, words } from "./words.js";

await words("/words");
document.title = `${say("files.title")} · ${document.title}`;
