"""Random numbers with an address."""

import numpy as np

from expediter.engine.uniforms import ACCEPT, DRAFT, OWN, uniforms


def test_the_same_address_gives_the_same_number_whatever_is_asked_beside_it():
    many = uniforms(7, np.arange(50)[:, None], np.arange(30), DRAFT, 2)
    alone = uniforms(7, np.array([[13]]), np.array([21]), DRAFT, 2)
    assert many[13, 21] == alone[0, 0]


def test_every_part_of_the_address_matters():
    base = uniforms(1, np.array([5]), np.array([9]), DRAFT, 0)[0]
    others = [
        uniforms(2, np.array([5]), np.array([9]), DRAFT, 0)[0],
        uniforms(1, np.array([6]), np.array([9]), DRAFT, 0)[0],
        uniforms(1, np.array([5]), np.array([10]), DRAFT, 0)[0],
        uniforms(1, np.array([5]), np.array([9]), ACCEPT, 0)[0],
        uniforms(1, np.array([5]), np.array([9]), OWN, 0)[0],
        uniforms(1, np.array([5]), np.array([9]), DRAFT, 1)[0],
    ]
    assert len({base, *others}) == 7


def test_numbers_are_uniform_and_neighbours_do_not_correlate():
    u = uniforms(3, np.arange(400)[:, None], np.arange(400), OWN)
    assert u.min() >= 0
    assert u.max() < 1
    counts = np.histogram(u, bins=100, range=(0, 1))[0]
    assert ((counts - 1600) ** 2 / 1600).sum() < 160  # 99 degrees of freedom: p ≈ 1e-4
    for a, b in ((u[1:], u[:-1]), (u[:, 1:], u[:, :-1])):
        assert abs(np.corrcoef(a.ravel(), b.ravel())[0, 1]) < 0.012
