"""torch.optim: SGD, Adam and AdamW."""
import math
import torch


def _check_rate(lr):
    if lr < 0.0:
        raise ValueError(f"Invalid learning rate: {lr}")


class Optimizer:
    def __init__(self, params, defaults):
        self.defaults = defaults
        self.param_groups = []
        self.state = {}
        params = list(params)
        if len(params) == 0:
            raise ValueError("optimizer got an empty parameter list")
        if not isinstance(params[0], dict):
            params = [{"params": params}]
        for group in params:
            self.add_param_group(group)

        for group in self.param_groups:
            for p in group["params"]:
                if not p.is_leaf:
                    raise ValueError("can't optimize a non-leaf Tensor")

    def __repr__(self):
        lines = []
        for i, group in enumerate(self.param_groups):
            lines.append(f"Parameter Group {i}")
            lines += [f"    {name}: {group[name]}" for name in sorted(group) if name != "params"]
        return type(self).__name__ + " (\n" + "\n".join(lines) + "\n)"

    def add_param_group(self, group):
        group = dict(group)
        group["params"] = [group["params"]] if isinstance(group["params"], torch.Tensor) else list(group["params"])
        for name, value in self.defaults.items():
            group.setdefault(name, value)
        self.param_groups.append(group)

    def state_dict(self):
        return {"state": dict(self.state), "param_groups": [{k: v for k, v in g.items() if k != "params"} for g in self.param_groups]}

    def zero_grad(self, set_to_none=True):
        for group in self.param_groups:
            for p in group["params"]:
                if set_to_none:
                    p.grad = None
                elif p.grad is not None:
                    p.grad.zero_()

    def step(self, closure=None):
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        with torch.no_grad():
            for n, group in enumerate(self.param_groups):
                for k, p in enumerate(group["params"]):
                    if p.grad is not None:
                        self.update(p, p.grad, group, self.state.setdefault((n, k), {}))
        return loss


class SGD(Optimizer):
    def __init__(self, params, lr=1e-3, momentum=0, dampening=0, weight_decay=0, nesterov=False, *, maximize=False, foreach=None, differentiable=False, fused=None):
        _check_rate(lr)
        super().__init__(params, {"lr": lr, "momentum": momentum, "dampening": dampening, "weight_decay": weight_decay, "nesterov": nesterov, "maximize": maximize, "foreach": foreach, "differentiable": differentiable, "fused": fused})

    def update(self, p, grad, group, state):
        if group["maximize"]:
            grad = -grad
        if group["weight_decay"] != 0:
            grad = grad.add(p, alpha=group["weight_decay"])
        momentum = group["momentum"]
        if momentum != 0:
            if "momentum_buffer" in state:
                state["momentum_buffer"].mul_(momentum).add_(grad, alpha=1 - group["dampening"])
            else:
                state["momentum_buffer"] = grad.clone()
            if group["nesterov"]:
                grad = grad.add(state["momentum_buffer"], alpha=momentum)
            else:
                grad = state["momentum_buffer"]
        p.add_(grad, alpha=-group["lr"])


class Adam(Optimizer):
    decoupled = False

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, amsgrad=False, *, maximize=False, foreach=None, capturable=False, differentiable=False, fused=None):
        if amsgrad:
            raise NotImplementedError("newt has no amsgrad")
        _check_rate(lr)
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "amsgrad": amsgrad, "maximize": maximize, "foreach": foreach, "capturable": capturable, "differentiable": differentiable, "fused": fused, "decoupled_weight_decay": self.decoupled})

    def update(self, p, grad, group, state):
        if group["maximize"]:
            grad = -grad
        if len(state) == 0:
            state["step"] = 0
            state["exp_avg"] = torch.zeros_like(p)
            state["exp_avg_sq"] = torch.zeros_like(p)
        beta1, beta2 = group["betas"]
        if group["weight_decay"] != 0:
            if self.decoupled:
                p.mul_(1 - group["lr"] * group["weight_decay"])
            else:
                grad = grad.add(p, alpha=group["weight_decay"])
        state["step"] += 1
        state["exp_avg"].lerp_(grad, 1 - beta1)
        state["exp_avg_sq"].mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
        size = group["lr"] / (1 - beta1 ** state["step"])
        root = math.sqrt(1 - beta2 ** state["step"])
        denominator = (state["exp_avg_sq"].sqrt() / root).add_(group["eps"])
        p.addcdiv_(state["exp_avg"], denominator, value=-size)


class AdamW(Adam):
    decoupled = True

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=1e-2, amsgrad=False, *, maximize=False, foreach=None, capturable=False, differentiable=False, fused=None):
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, maximize=maximize, foreach=foreach, capturable=capturable, differentiable=differentiable, fused=fused)


class RMSprop(Optimizer):
    def __init__(self, params, lr=1e-2, alpha=0.99, eps=1e-8, weight_decay=0, momentum=0, centered=False, capturable=False, foreach=None, maximize=False, differentiable=False):
        _check_rate(lr)
        super().__init__(params, {"lr": lr, "momentum": momentum, "alpha": alpha, "eps": eps, "centered": centered, "weight_decay": weight_decay, "capturable": capturable, "foreach": foreach, "maximize": maximize, "differentiable": differentiable})

    def update(self, p, grad, group, state):
        if group["maximize"]:
            grad = -grad
        if len(state) == 0:
            state["square_avg"] = torch.zeros_like(p)
            state["grad_avg"] = torch.zeros_like(p)
            state["momentum_buffer"] = torch.zeros_like(p)
        if group["weight_decay"] != 0:
            grad = grad.add(p, alpha=group["weight_decay"])
        alpha = group["alpha"]
        state["square_avg"].mul_(alpha).addcmul_(grad, grad, value=1 - alpha)
        average = state["square_avg"]
        if group["centered"]:
            state["grad_avg"].lerp_(grad, 1 - alpha)
            average = average.addcmul(state["grad_avg"], state["grad_avg"], value=-1)
        size = average.sqrt().add_(group["eps"])
        if group["momentum"] > 0:
            state["momentum_buffer"].mul_(group["momentum"]).addcdiv_(grad, size)
            p.add_(state["momentum_buffer"], alpha=-group["lr"])
        else:
            p.addcdiv_(grad, size, value=-group["lr"])
