// Tabs: one choice for all pages. Films: still if the system asks for reduced motion.
document.addEventListener("DOMContentLoaded", () => {
    const tabs = [...document.querySelectorAll(".tabs > input")];
    const choose = (name) => tabs.filter((tab) => tab.dataset.tab === name).forEach((tab) => { tab.checked = true; });
    const stored = () => { try { return localStorage.getItem("carom-tab"); } catch { return null; } };
    if (stored()) choose(stored());
    tabs.forEach((tab) => tab.addEventListener("change", () => {
        const top = tab.getBoundingClientRect().top;
        choose(tab.dataset.tab);
        window.scrollBy(0, tab.getBoundingClientRect().top - top);
        try { localStorage.setItem("carom-tab", tab.dataset.tab); } catch { /* no storage: the choice holds for this page */ }
    }));
    document.querySelectorAll("video").forEach((film) => {
        if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
            film.autoplay = false;
            film.controls = true;
            film.pause();
        }
    });
});
