module shapes
  implicit none
  integer :: counter = 3
  type point
    real :: x, y
    character(len=4) :: tag
  end type
contains
  function area(p, n) result(r)
    type(point), intent(in) :: p(:)
    integer, intent(in) :: n
    real :: r
    integer :: i
    r = 0
    do i = 1, n
      r = r + p(i)%x * p(i)%y
    end do
    counter = counter + n
  end function
  subroutine greet(name, c)
    character(len=*), intent(in) :: name
    complex, intent(in) :: c
    character(len=8) :: copy
    copy = name
    print *, copy, c
  end subroutine
end module
program main
  use shapes
  implicit none
  type(point) :: p(3)
  integer :: grid(2,3), i
  logical :: flag
  real(8), allocatable :: a(:)
  character(len=5) :: word
  word = 'hello'
  allocate(a(4))
  a = 1.5d0
  flag = .true.
  grid = 7
  do i = 1, 3
    p(i)%x = i
    p(i)%y = 2 * i
    p(i)%tag = 'abcd'
  end do
  print *, area(p, 3), flag, grid(2, 3), a(2)
  call greet(word, (1.0, 2.0))
end program
