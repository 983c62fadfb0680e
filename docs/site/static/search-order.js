// Order of search results: pages that contain the words of the query as a phrase come first, the more often the earlier, and the
// pages of the development and of single experiments last. Sphinx alone lists all pages that contain the words anywhere in
// alphabetical order.
var Scorer = {
    score: ([page, , , , score]) => {
        const query = (new URLSearchParams(location.search).get("q") || "").toLowerCase().trim();
        const text = (window.PAGE_TEXTS || {})[page] || "";
        const phrases = query ? Math.min(text.toLowerCase().split(query).length - 1, 30) : 0;
        return score + phrases - (/^(tests|experiments|papers|changelog|contributing|packaging)/.test(page) ? 40 : 0);
    },
    // the weights of Sphinx
    objNameMatch: 11,
    objPartialMatch: 6,
    objPrio: {0: 15, 1: 5, 2: -5},
    objPrioDefault: 0,
    title: 15,
    partialTitle: 7,
    term: 5,
    partialTerm: 2,
};
