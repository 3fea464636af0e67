// Replies to threads, and resolves them.
import { post, problem } from "./ask.js";

const said = document.getElementById("said");
for (const form of document.querySelectorAll("form.reply"))
  form.addEventListener("submit", async event => {
    event.preventDefault();
    const { state } = event.submitter.dataset;
    const { about, thread } = form.closest("li").dataset;
    const words = form.querySelector("textarea").value.trim() || event.submitter.textContent;
    const [status, answer] = await post("comment", { about, thread, words, state });
    if (status === 200) return location.reload();
    said.className = "found error";
    said.textContent = problem(status, answer);
    said.scrollIntoView({ block: "nearest" });
  });
