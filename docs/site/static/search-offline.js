// Summaries of search results on pages that are read without a server: a browser refuses to read other files there, so that
// their texts come from texts.js.
if (location.protocol === "file:") {
    window.fetch = (url) => {
        const name = decodeURI(new URL(url, location.href).href).replace(new URL(".", location.href).href, "").replace(/\.html.*$/, "");
        const main = document.createElement("div");
        main.setAttribute("role", "main");
        main.textContent = (window.PAGE_TEXTS || {})[name] || "";
        return Promise.resolve({text: () => Promise.resolve(main.textContent ? main.outerHTML : "")}); // no text: no summary
    };
}
