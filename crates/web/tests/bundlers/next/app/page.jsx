"use client";
// What a stranger's page does, after it is shown: the package is for browsers.

import { useEffect, useState } from "react";

export default function Page() {
    const [line, setLine] = useState("running");
    useEffect(() => {
        import("../main.js");
    }, []);
    useEffect(() => setLine("It runs in this page; its title says how it went."), []);
    return <p>{line}</p>;
}
