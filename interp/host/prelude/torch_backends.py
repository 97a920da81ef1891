"""torch.backends: flags that scripts set; newt computes the same whatever they say."""


class _Flags:
    def is_available(self):
        return True

    def version(self):
        return 91002


cuda = _Flags()
cuda.matmul = _Flags()
cuda.matmul.allow_tf32 = False
cuda.matmul.allow_fp16_reduced_precision_reduction = True
cuda.matmul.allow_bf16_reduced_precision_reduction = True
cudnn = _Flags()
cudnn.enabled = True
cudnn.benchmark = False
cudnn.deterministic = False
cudnn.allow_tf32 = True
