// SPDX-License-Identifier: Apache-2.0
package Rubato "Components that come with the program"
end Rubato;
