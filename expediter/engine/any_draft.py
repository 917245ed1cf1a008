"""A draft of any architecture whose target could be of the same: transformers' own layers, over the packed forward.

It does for drafter.OneByOne what lean.LeanLlama does for small Llamas, at the price of every module's bookkeeping. Its words are
the target's: a vocabulary that is padded to another size (as Qwen's are, by the size of the model) is cut or filled up.
"""

import numpy as np
import torch

from expediter.engine.kv_store import KVStore
from expediter.engine.packed import Folding, Packed
from expediter.engine.target import Target

NEVER = -1e9  # logit of a word that the draft does not have; a finite one, because 0 · −∞ is no number


class AnyDraft:
    """Weights only; what changes belongs to a drafter."""

    def __init__(self, target: Target, vocabulary: int, room: int):
        """target: the draft, wrapped as a target is; vocabulary: V of the model that it drafts for; room: tokens of one request.

        Raises ValueError when the model has no head of its own kind or fewer positions than that.
        """
        self.target, self.vocabulary, self.room = target, vocabulary, room
        self.ids = None  # it proposes any token
        self.products = target.place.dtype  # number format of its matrices
        model = target.model
        self.body, self.head = model.base_model, model.get_output_embeddings()
        if self.body is model or self.head is None:
            raise ValueError(
                f"The draft is a {model.config.model_type}, whose last layer cannot be told from its head: pick another draft."
            )
        self.known = model.get_input_embeddings().num_embeddings  # ids that it can read
        config = model.config  # what some families do to their logits (Cohere, Granite, Gemma)
        self.factor = getattr(config, "logit_scale", None) or 1 / (getattr(config, "logits_scaling", None) or 1)
        self.cap = getattr(config, "final_logit_softcapping", None)

    def store(self, slots: int) -> KVStore:
        """An empty store of this model's shape."""
        return self.target.store(slots, self.room)

    def forward(self, ids: torch.Tensor, positions: torch.Tensor, slots: slice | torch.Tensor, slot: torch.Tensor, store: KVStore):
        """Read n tokens of each of R requests; keys and values go to the store.

        ids, positions [R, n]; slots the requests' slots, slot the same as indices [R]. → hidden state of the last token [R, d]
        """
        r, n = ids.shape
        length = int(positions.max()) + 1
        seen = torch.arange(length, device=ids.device) <= positions[:, :, None]  # [R, n, L]
        mask = torch.zeros(seen.shape, dtype=store.keys.dtype, device=ids.device).masked_fill_(~seen, -torch.inf)
        packed = Packed(
            ids=torch.where(ids < self.known, ids, 0).reshape(1, -1),  # an id that only the target has reads as any other: it is a guess
            positions=positions.reshape(1, -1),
            row=(slot[:, None] * store.room + positions).flatten(),
            slots=slots,
            requests=r,
            length=length,
            fold=Folding.of(np.full(r, n), self.target.groups * self.target.kv_heads, ids.device),
            mask=mask.repeat(1, self.target.groups, 1)[:, None],  # [R, 1, G·n, L]
            store=store,
        )
        out = self.body(input_ids=packed.ids, position_ids=packed.positions, use_cache=False, packed=packed).last_hidden_state
        return out.view(r, n, -1)[:, -1]  # [R, d]

    def logits(self, hidden: torch.Tensor) -> torch.Tensor:
        """[R, d] → [R, V], V the target's"""
        logits = self.head(hidden)[..., : self.vocabulary] * self.factor
        if self.cap:
            logits = self.cap * torch.tanh(logits / self.cap)
        lacking = self.vocabulary - logits.shape[-1]
        return torch.nn.functional.pad(logits, (0, lacking), value=NEVER) if lacking else logits
