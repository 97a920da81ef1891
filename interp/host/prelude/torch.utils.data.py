"""torch.utils.data: data sets, and loaders in this process that draw from torch's stream as torch's do."""
import torch


class Dataset:
    def __getitem__(self, index):
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")


class IterableDataset(Dataset):
    pass


class TensorDataset(Dataset):
    def __init__(self, *tensors):
        if any([t.size(0) != tensors[0].size(0) for t in tensors]):
            raise AssertionError("Size mismatch between tensors")
        self.tensors = tensors

    def __getitem__(self, index):
        return tuple([t[index] for t in self.tensors])

    def __len__(self):
        return self.tensors[0].size(0)


class Subset(Dataset):
    def __init__(self, dataset, indices):
        self.dataset, self.indices = dataset, indices

    def __getitem__(self, index):
        return self.dataset[self.indices[index]]

    def __len__(self):
        return len(self.indices)


def random_split(dataset, lengths, generator=None):
    n = len(dataset)
    if abs(sum(lengths) - 1) < 1e-6 and sum(lengths) <= 1 + 1e-6:
        shares = [int(n * share) for share in lengths]
        for i in range(n - sum(shares)):
            shares[i % len(shares)] += 1
        lengths = shares
    if sum(lengths) != n:
        raise ValueError("Sum of input lengths does not equal the length of the input dataset!")
    order = torch.randperm(n, generator=generator).tolist()
    parts, at = [], 0
    for length in lengths:
        parts.append(Subset(dataset, order[at:at + length]))
        at += length
    return parts


def default_collate(batch):
    first = batch[0]
    if isinstance(first, torch.Tensor):
        return torch.stack(batch)
    if isinstance(first, float):
        return torch.tensor(batch, dtype=torch.float64)
    if isinstance(first, int):
        return torch.tensor(batch)
    if isinstance(first, dict):
        return {name: default_collate([row[name] for row in batch]) for name in first}
    if isinstance(first, (tuple, list)):
        return [default_collate(list(column)) for column in zip(*batch)]
    return batch


class DataLoader:
    def __init__(self, dataset, batch_size=1, shuffle=None, sampler=None, batch_sampler=None, num_workers=0, collate_fn=None, pin_memory=False, drop_last=False, timeout=0, worker_init_fn=None, generator=None, **kwargs):
        self.dataset, self.batch_size, self.shuffle, self.sampler = dataset, batch_size, bool(shuffle), sampler
        self.batch_sampler, self.drop_last, self.generator = batch_sampler, drop_last, generator
        self.collate_fn = default_collate if collate_fn is None else collate_fn

    def _order(self):
        if self.sampler is not None:
            return list(self.sampler)
        if not self.shuffle:
            return list(range(len(self.dataset)))
        generator = self.generator
        if generator is None:
            seed = int(torch.empty((), dtype=torch.int64).random_().item())
            generator = torch.Generator()
            generator.manual_seed(seed)
        return torch.randperm(len(self.dataset), generator=generator).tolist()

    def __iter__(self):
        torch.empty((), dtype=torch.int64).random_(generator=self.generator)  # the seed of workers
        if isinstance(self.dataset, IterableDataset):
            rows = list(self.dataset)
            order = list(range(len(rows)))
        else:
            rows = self.dataset
            order = None if self.batch_sampler is not None else self._order()
        if self.batch_sampler is not None:
            batches = list(self.batch_sampler)
        elif self.batch_size is None:
            for i in order:
                yield rows[i]
            return
        else:
            batches = [order[at:at + self.batch_size] for at in range(0, len(order), self.batch_size)]
            if self.drop_last and batches and len(batches[-1]) < self.batch_size:
                batches.pop()
        for batch in batches:
            yield self.collate_fn([rows[i] for i in batch])

    def __len__(self):
        if self.batch_sampler is not None:
            return len(self.batch_sampler)
        n = len(self.dataset)
        return n // self.batch_size if self.drop_last else (n + self.batch_size - 1) // self.batch_size
