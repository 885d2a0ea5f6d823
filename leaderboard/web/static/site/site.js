// Enhancement only: every page works without this file.
(() => {
  const root = document.documentElement;
  const $$ = (s, e = document) => [...e.querySelectorAll(s)];

  // colours: painted at once, and kept by the server in a cookie
  document.addEventListener("submit", e => {
    const form = e.target.closest("[data-theme-switch]"), button = e.submitter;
    if (!form || !button) return;
    e.preventDefault();
    const body = new FormData(form);
    body.set("theme", button.value);
    button.value === "auto" ? root.removeAttribute("data-theme") : root.setAttribute("data-theme", button.value);
    $$("[name=theme]", form).forEach(b => b.setAttribute("aria-pressed", b === button));
    fetch(form.action, { method: "POST", body, redirect: "manual" });
  });

  // copy, and say so
  const wire = e => $$("[data-copy]", e).forEach(b => { b.hidden = false; });
  document.addEventListener("click", async e => {
    const b = e.target.closest("[data-copy]");
    if (!b) return;
    e.preventDefault();
    const from = document.getElementById(b.dataset.copy), label = b.dataset.label ||= b.textContent;
    await navigator.clipboard.writeText(from ? from.textContent : b.dataset.copy);
    b.textContent = "Copied";
    setTimeout(() => { b.textContent = label; }, 1500);
  });
  wire(document);

  // menus close on Escape and on a click elsewhere
  const shut = keep => $$("details.menu[open]").forEach(d => { if (d !== keep) d.open = false; });
  document.addEventListener("click", e => shut(e.target.closest("details.menu")));
  document.addEventListener("keydown", e => {
    if (e.key !== "Escape") return;
    const d = document.querySelector("details.menu[open]");
    if (d) { d.open = false; d.querySelector("summary").focus(); }
  });

  // the tick for intervals outlives a new table
  let intervals = false;
  document.addEventListener("change", e => { if (e.target.id === "iv") intervals = e.target.checked; });
  document.addEventListener("htmx:afterSettle", e => {
    wire(e.target);
    const tick = document.getElementById("iv");
    if (tick) tick.checked = intervals;
  });

  // an upload that failed on the way says so where its report would stand
  const fail = e => {
    if (e.detail.target?.id !== "report") return;
    const status = e.detail.xhr?.status;
    e.detail.target.textContent = status === 413 ? "The file is too large. Nothing was stored."
      : `The file could not be checked${status ? ` (${status})` : ": the connection broke"}. Nothing was stored. Try again in a minute.`;
  };
  document.addEventListener("htmx:responseError", fail);
  document.addEventListener("htmx:sendError", fail);

  // drop a file anywhere on the drop zone
  $$(".drop").forEach(z => {
    const input = z.querySelector("input"), name = z.querySelector("output");
    const show = () => { if (input.files[0]) name.textContent = `${(input.files[0].size / 1e6).toFixed(1)} MB`; };
    ["dragenter", "dragover"].forEach(t => z.addEventListener(t, e => { e.preventDefault(); z.classList.add("over"); }));
    ["dragleave", "drop"].forEach(t => z.addEventListener(t, e => { e.preventDefault(); z.classList.remove("over"); }));
    z.addEventListener("drop", e => { input.files = e.dataTransfer.files; show(); });
    input.addEventListener("change", show);
    show();
  });
})();
