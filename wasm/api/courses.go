package api

import (
	"github.com/newtlab/newt/interp/trace"
)

// maxCourses is how many programs a reply holds.
const maxCourses = 64

// courses gives what some programs of a launch do, in short.
func (d *documents) courses(c *call, r *CoursesRequest) *CoursesReply {
	out := &CoursesReply{Courses: []Course{}}
	_, l := d.looked(c, &r.Of, &out.Message)
	if l == nil {
		return out
	}
	ctx, done := c.interrupts.begin(c.id)
	defer done()
	list, err := l.Courses(ctx, int64(r.From), min(r.Count, maxCourses))
	if err != nil {
		out.Message = err.Error()
	}
	for _, of := range list {
		course := Course{
			Program: of.Program[:], Steps: of.Steps, Problem: of.Problem, Stride: of.Stride, Marks: []int{},
			Loads: of.Accesses[trace.Load], Stores: of.Accesses[trace.Store], Atomics: of.Accesses[trace.Atomic],
		}
		for _, m := range of.Marks {
			course.Marks = append(course.Marks, int(m))
		}
		out.Courses = append(out.Courses, course)
	}
	return out
}
