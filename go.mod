module github.com/newtlab/newt

go 1.26
