"""Settings of the site; tools/site/build.py calls Sphinx with them."""
import os
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools/site"), str(ROOT / "python")]

project = "carom"
author = "The carom developers"
copyright = author
release = re.search(r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.M)[1]
version = release

extensions = ["myst_parser", "sphinx_copybutton", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "site_extension"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
root_doc = "index"
exclude_patterns = ["static"]
highlight_language = "none"
primary_domain = None
default_role = "code"

myst_enable_extensions = ["dollarmath", "deflist"]
myst_dmath_double_inline = True
myst_dmath_allow_space = False
myst_heading_anchors = 4

autodoc_typehints = "signature"
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "undoc-members": False, "show-inheritance": True}
napoleon_google_docstring = False
napoleon_use_ivar = True
napoleon_use_rtype = False

html_theme = "furo"
html_title = "carom"
html_static_path = [os.path.join(os.environ["CAROM_SITE_SOURCE"], "static")]
html_css_files = ["katex/katex.min.css", "carom.css"]
html_js_files = ["carom.js"]
html_favicon = str(ROOT / "docs/site/static/carom.svg")
html_logo = str(ROOT / "docs/site/static/carom.svg")
html_math_renderer = "katex"
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_last_updated_fmt = None
pygments_style = "friendly"
pygments_dark_style = "monokai"
copybutton_prompt_text = r"\$ |>>> "
copybutton_prompt_is_regexp = True
html_theme_options = {
    "sidebar_hide_name": False,
    "light_css_variables": {"color-brand-primary": "#0b6e99", "color-brand-content": "#0b6e99"},
    "dark_css_variables": {"color-brand-primary": "#5ab4dc", "color-brand-content": "#5ab4dc"},
}
