package api

import "sync"

// Queue serves requests one after another in the order in which they come, without keeping whoever
// brings them waiting. LaunchedRequests pass all others by: a request that waits for one would wait
// for ever.
type Queue struct {
	start sync.Once
	lock  sync.Mutex
	more  *sync.Cond
	tasks []func()
}

// Handle serves a request as the function Handle does, later.
func (q *Queue) Handle(request []byte, send func(reply []byte)) {
	if isLaunched(request) {
		Handle(request, send)
		return
	}
	q.start.Do(func() {
		q.more = sync.NewCond(&q.lock)
		go q.serve()
	})
	q.lock.Lock()
	defer q.lock.Unlock()
	q.tasks = append(q.tasks, func() { Handle(request, send) })
	q.more.Signal()
}

func (q *Queue) serve() {
	for {
		q.lock.Lock()
		for len(q.tasks) == 0 {
			q.more.Wait()
		}
		task := q.tasks[0]
		q.tasks = q.tasks[1:]
		q.lock.Unlock()
		task()
	}
}

func isLaunched(request []byte) bool {
	var r Request
	return decode(request, &r) == nil && r.Launched != nil
}
