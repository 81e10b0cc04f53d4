// The page: its views, and the worker that computes for all of them.

import { connect } from "./pteron/client.js";

import { beginChat } from "./chat.mjs";
import { beginDevice } from "./device.mjs";
import { beginProgram } from "./program.mjs";

const worker = new Worker(new URL("./pteron/worker.js", import.meta.url), { type: "module" });
const pteron = connect(worker);

const tabs = [...document.querySelectorAll("[role=tab]")];

function show(chosen) {
    for (const tab of tabs) {
        const selected = tab === chosen;
        tab.setAttribute("aria-selected", selected);
        tab.tabIndex = selected ? 0 : -1;
        document.getElementById(tab.getAttribute("aria-controls")).hidden = !selected;
    }
    history.replaceState(null, "", `#${chosen.getAttribute("aria-controls")}`);
    chosen.dispatchEvent(new CustomEvent("shown"));
}

for (const [index, tab] of tabs.entries()) {
    tab.addEventListener("click", () => show(tab));
    tab.addEventListener("keydown", ({ key }) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
        if (step === undefined) return;
        const next = tabs[(index + step + tabs.length) % tabs.length];
        next.focus();
        show(next);
    });
}

beginChat(pteron);
beginProgram(pteron);
beginDevice(pteron);
show(tabs.find((tab) => `#${tab.getAttribute("aria-controls")}` === location.hash) ?? tabs[0]);

if ("serviceWorker" in navigator) navigator.serviceWorker.register("offline.js").catch(() => {});
