// Keeps an open preview up to date: new sections in place, else a reload.
(() => {
  let version = Number(document.currentScript.dataset.version);
  let remarked = 0; // what was said so far of the page; the first news of it are new
  const place = "preview-scroll";
  const again = 3000; // ms until who was sent away asks once more
  const heading = "h2, h3, h4, h5";

  const topOf = element => element.getBoundingClientRect().top;

  // Not before the answer to a save has arrived, which the reload would lose. Parts that no
  // one looks at have no true height yet: a place on the page is the heading that is nearest.
  function reload() {
    if ("busy" in document.documentElement.dataset) return setTimeout(reload, 50);
    const heads = [...document.querySelectorAll(`main :is(h1, ${heading})[id]`)];
    const near = heads.findLast(one => topOf(one) < innerHeight) || heads[0];
    if (near) sessionStorage.setItem(place, JSON.stringify([near.id, topOf(near)]));
    location.reload();
  }

  function goBack([id, top], frames = 3) {
    const head = document.getElementById(id);
    if (head) scrollBy({ top: topOf(head) - top, behavior: "instant" });
    if (frames) requestAnimationFrame(() => goBack([id, top], frames - 1));
  }

  function replace(id, html) {
    const head = document.getElementById(id);
    if (!head) return false;
    while (
      head.nextElementSibling &&
      !(head.nextElementSibling.matches(heading) && head.nextElementSibling.id.startsWith("sec-"))
    )
      head.nextElementSibling.remove();
    head.insertAdjacentHTML("afterend", html);
    return true;
  }

  function tell(problem) {
    document.getElementById("preview-problem")?.remove();
    if (!problem) return;
    const box = document.createElement("pre");
    box.id = "preview-problem";
    box.setAttribute("role", "alert");
    box.textContent = problem;
    box.style.cssText =
      "position:fixed;inset:auto 0 0;z-index:9;margin:0;max-height:50vh;" +
      "overflow:auto;white-space:pre-wrap;background:#a2191f;color:#fff;padding:1rem 1.5rem";
    document.body.append(box);
  }

  const before = sessionStorage.getItem(place);
  sessionStorage.removeItem(place);
  if (before !== null) {
    const seen = JSON.parse(before);
    history.scrollRestoration = "manual";
    goBack(seen);
    addEventListener("load", () => goBack(seen));
  }

  function hear(event) {
    const news = JSON.parse(event.data);
    tell(news.problem);
    if (news.version === version) {
      if (news.remarked !== remarked) document.dispatchEvent(new Event("remarked"));
      remarked = news.remarked;
      return;
    }
    remarked = news.remarked;
    const at = scrollY;
    const parts = Object.entries(news.sections || {});
    if (!parts.length || !parts.every(([id, html]) => replace(id, html))) return reload();
    document.dispatchEvent(new Event("changed"));
    version = news.version;
    scrollTo({ top: at, behavior: "instant" });
  }

  // The preview was started again: what it shows now may be another page. Where it sent
  // away who listens, as after a session, a browser does not ask again by itself.
  let lost = false;
  function listen() {
    const changes = new EventSource(`changes?version=${version}`);
    changes.addEventListener("message", hear);
    changes.addEventListener("open", () => {
      if (lost) reload();
    });
    changes.addEventListener("error", () => {
      lost = true;
      if (changes.readyState === EventSource.CLOSED) setTimeout(listen, again);
    });
  }
  listen();
})();
