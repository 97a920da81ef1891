package api

import (
	"encoding/base64"
	"errors"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/runner/share/link"
)

// pack makes the payload of a link.
func (c *call) pack(r *PackRequest) *PackReply {
	payload, err := link.Encode(r.State.encode())
	var why *link.Error
	if errors.As(err, &why) {
		return &PackReply{Error: c.linkError(err), TooLarge: why.Code == "link-too-large"}
	}
	return &PackReply{Payload: payload, Most: link.MaxAddress}
}

// unpack reads the payload of a link.
func (c *call) unpack(r *UnpackRequest) *UnpackReply {
	state, err := link.Decode(r.Payload)
	if err != nil {
		return &UnpackReply{Error: c.linkError(err)}
	}
	return &UnpackReply{State: decodeState(&state)}
}

// linkError puts what is wrong with a link into the call's language.
func (c *call) linkError(err error) string {
	var e *link.Error
	if !errors.As(err, &e) {
		e = &link.Error{Code: "link-corrupt"}
	}
	r := diag.New(e.Code, source.Span{}, e.Args...).In(c.lang)
	stop := map[diag.Lang]string{diag.English: ". ", diag.Chinese: "。"}[c.lang]
	if e.Code == "link-too-large" {
		return r.Headline + stop + r.Why + map[diag.Lang]string{diag.English: " "}[c.lang] + r.Help
	}
	return r.Headline + stop + r.Help
}

// encode and decodeState copy between the page's form of a state and the link's, which keeps no
// names of JSON so that its layout depends on nothing but its version.
func (s *LinkState) encode() link.State {
	out := link.State{Source: s.Source, Puzzle: s.Puzzle, Lang: s.Lang, Strict: s.Strict, View: s.View}
	if s.Free != nil {
		out.Free = &link.Free{
			Kernel: s.Free.Kernel, Grid: s.Free.Grid, Seed: s.Free.Seed,
			Args: convert(s.Free.Args, func(a FreeArg) link.FreeArg { return link.FreeArg(a) }),
		}
	}
	if r := s.Results; r != nil {
		out.Results = &link.Results{
			Pass: r.Pass, Message: r.Message, Made: r.Made, Prints: r.Prints,
			Tensors: convert(r.Tensors, func(t LinkTensor) link.Tensor { return link.Tensor(t) }),
		}
	}
	if s.Custom != nil {
		out.Custom = s.Custom.folder()
	}
	if s.Look != nil {
		look := link.Look(*s.Look)
		out.Look = &look
	}
	if k := s.Code; k != nil {
		out.Code = &link.Code{Stage: k.Stage, Target: k.Target, Unchecked: k.Unchecked, Base: (*link.Base)(k.Base)}
	}
	if d := s.Document; d != nil {
		files := convert(d.Files, func(f LinkFile) link.NamedData {
			data, _ := base64.StdEncoding.DecodeString(f.Data) // which the page has encoded
			return link.NamedData{Name: f.Name, Data: data}
		})
		out.Document = &link.Document{Name: d.Name, Format: d.Format, Files: files}
	}
	return out
}

func decodeState(s *link.State) *LinkState {
	out := &LinkState{Source: s.Source, Puzzle: s.Puzzle, Lang: s.Lang, Strict: s.Strict, View: s.View}
	if s.Free != nil {
		out.Free = &LinkFree{
			Kernel: s.Free.Kernel, Grid: s.Free.Grid, Seed: s.Free.Seed,
			Args: convert(s.Free.Args, func(a link.FreeArg) FreeArg { return FreeArg(a) }),
		}
	}
	if r := s.Results; r != nil {
		out.Results = &LinkResults{
			Pass: r.Pass, Message: r.Message, Made: r.Made,
			Prints:  convert(r.Prints, func(p string) string { return p }),
			Tensors: convert(r.Tensors, func(t link.Tensor) LinkTensor { return LinkTensor(t) }),
		}
	}
	if s.Custom != nil {
		files := convert(s.Custom.Files, func(f link.File) File { return File(f) })
		out.Custom = &Custom{Folder: s.Custom.Folder, Files: files}
	}
	if s.Look != nil {
		look := LinkLook(*s.Look)
		out.Look = &look
	}
	if k := s.Code; k != nil {
		out.Code = &LinkCode{Stage: k.Stage, Target: k.Target, Unchecked: k.Unchecked, Base: (*LinkBase)(k.Base)}
	}
	if d := s.Document; d != nil {
		files := convert(d.Files, func(f link.NamedData) LinkFile {
			return LinkFile{f.Name, base64.StdEncoding.EncodeToString(f.Data)}
		})
		out.Document = &LinkDocument{Name: d.Name, Format: d.Format, Files: files}
	}
	return out
}

func (p *Custom) folder() *link.Custom {
	return &link.Custom{Folder: p.Folder, Files: convert(p.Files, func(f File) link.File { return link.File(f) })}
}

// convert is never nil, so that no items encode as [].
func convert[A, B any](list []A, f func(A) B) []B {
	out := make([]B, len(list))
	for i, a := range list {
		out[i] = f(a)
	}
	return out
}
