// All suites of a project as one, in which what they share is loaded once. The preset of Jest says when, and which.
for (const [name, path] of Object.entries(SUITES)) describe(name, () => void require(path));
