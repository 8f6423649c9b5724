within Demo;
package Sub
end Sub;
