"""Garage: the pairs, what each is and can do here, and what can be done with it. Reads like the screen."""

from expediter.ui import address, garage_compare
from expediter.ui.controls import without_pair
from expediter.ui.front import through_app
from expediter.ui.garage import garage
from expediter.ui.garage_form import form
from expediter.ui.page import opening, page_words
from expediter.ui.reader import known_pairs, reader
from expediter.ui.theme import css_variables

through_app()

text = page_words("garage")

opening(text, css_variables())

session = reader()
session.change(without_pair(session.settings, known_pairs()))
address.write(session.settings)

found = garage(session, text)
garage_compare.draw(found, session.settings, text)
form(text)
