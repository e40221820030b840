// The theme that was chosen, before anything is painted; so this one is no module.
{
  let theme = new URLSearchParams(location.search).get("theme");
  try {
    theme ??= localStorage.getItem("damas-theme");
  } catch {
    // a page that may keep nothing follows the system
  }
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
}
