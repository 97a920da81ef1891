class Resize:
    def __init__(self, size, interpolation=None, max_size=None, antialias=True):
        self.size, self.antialias = size, antialias

    def __call__(self, img):
        # The modules of torchvision are made together, so that this one cannot import another before.
        from torchvision.transforms.functional import resize

        return resize(img, self.size, antialias=self.antialias)


class Compose:
    def __init__(self, transforms):
        self.transforms = transforms

    def __call__(self, img):
        for t in self.transforms:
            img = t(img)
        return img
