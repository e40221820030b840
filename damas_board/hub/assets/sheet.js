// The score sheet's one button.

document.getElementById("print").addEventListener("click", () => window.print());
