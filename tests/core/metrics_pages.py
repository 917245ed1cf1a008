"""Metrics pages as vLLM and SGLang serve them, written for the tests: their names, labels and forms, and numbers of our own."""


def vllm(running: int, generated: int, drafts: int, by_position: tuple[int, ...], engine: str = "0") -> str:
    """vLLM V1 with speculative decoding."""
    labels = f'engine="{engine}",model_name="org/model"'
    gamma = len(by_position)
    lines = [
        "# HELP vllm:num_requests_running Number of requests in model execution batches.",
        "# TYPE vllm:num_requests_running gauge",
        f"vllm:num_requests_running{{{labels}}} {running}.0",
        "# TYPE vllm:generation_tokens_total counter",
        f"vllm:generation_tokens_total{{{labels}}} {generated}.0",
        "# TYPE vllm:generation_tokens_created gauge",
        f"vllm:generation_tokens_created{{{labels}}} 1.7640123456789e+09",
        "# TYPE vllm:spec_decode_num_drafts_total counter",
        f"vllm:spec_decode_num_drafts_total{{{labels}}} {drafts}.0",
        f"vllm:spec_decode_num_draft_tokens_total{{{labels}}} {float(drafts * gamma)}",
        f"vllm:spec_decode_num_accepted_tokens_total{{{labels}}} {float(sum(by_position))}",
    ]
    lines += [
        f'vllm:spec_decode_num_accepted_tokens_per_pos_total{{{labels},position="{p}"}} {float(n)}' for p, n in enumerate(by_position)
    ]
    lines += ['vllm:time_to_first_token_seconds_bucket{le="+Inf",model_name="org/model"} 12.0', ""]
    return "\n".join(lines)


def vllm_v0(running: int, generated: int, steps: int, emitted: int, depth: int) -> str:
    """vLLM V0 with speculative decoding: no count of drafts, none by position."""
    labels = 'model_name="org/model"'
    return (
        f"vllm:num_requests_running{{{labels}}} {running}.0\n"
        f"vllm:num_requests_swapped{{{labels}}} 0.0\n"
        f"vllm:generation_tokens_total{{{labels}}} {generated}.0\n"
        f"vllm:spec_decode_draft_acceptance_rate{{{labels}}} 0.5\n"
        f"vllm:spec_decode_efficiency{{{labels}}} {emitted / (steps * (depth + 1))}\n"
        f"vllm:spec_decode_num_accepted_tokens_total{{{labels}}} {emitted - steps}.0\n"
        f"vllm:spec_decode_num_draft_tokens_total{{{labels}}} {steps * depth}.0\n"
        f"vllm:spec_decode_num_emitted_tokens_total{{{labels}}} {emitted}.0\n"
    )


def sglang_old(running: int, throughput: float, length: float, draft_tokens: int) -> str:
    """SGLang of 2025: the rate holds the bonus, nothing says how many are drafted."""
    labels = 'model_name="org/model"'
    return (
        f"sglang:num_running_reqs{{{labels}}} {running}.0\n"
        f"sglang:gen_throughput{{{labels}}} {throughput}\n"
        f"sglang:spec_accept_length{{{labels}}} {length}\n"
        f"sglang:spec_accept_rate{{{labels}}} {length / draft_tokens}\n"
    )


def ray(page: str) -> str:
    """The same page as Ray serves it."""
    return page.replace("vllm:", "ray_vllm_").replace("sglang:", "ray_sglang_").replace('engine="', 'ReplicaId="r1",engine="')


def sglang(running: int, generated: int, length: float, draft_tokens: int, ranks: int = 2) -> str:
    """SGLang with two tensor-parallel ranks that repeat each other."""
    lines = []
    for rank in range(ranks):
        labels = f'dp_rank="0",engine_type="unified",model_name="org/model",pp_rank="0",tp_rank="{rank}"'
        lines += [
            f"sglang:num_running_reqs{{{labels}}} {float(running)}",
            f"sglang:spec_accept_length{{{labels}}} {length}",
            f"sglang:spec_accept_rate{{{labels}}} {(length - 1) / max(draft_tokens - 1, 1)}",
            f"sglang:spec_num_draft_tokens{{{labels}}} {float(draft_tokens)}",
        ]
    lines.append(f'sglang:generation_tokens_total{{engine_type="unified",model_name="org/model"}} {float(generated)}')
    return "\n".join(lines) + "\n"
