//! Zero-sum tables: the first player chooses a row and maximises, the second a column and minimises.

/// The value of a table, and the mixtures that guarantee it.
#[derive(Clone, Debug, PartialEq)]
pub struct Equilibrium {
    /// The first player's value under best play of both.
    pub value: f64,
    /// The probability of each row.
    pub rows: Vec<f64>,
    /// The probability of each column.
    pub columns: Vec<f64>,
}

/// The first player's expected reward under two mixtures.
pub fn expected(table: &[Vec<f64>], rows: &[f64], columns: &[f64]) -> f64 {
    rows.iter().zip(row_rewards(table, columns)).map(|(chance, reward)| chance * reward).sum()
}

/// The gain of a best response to the other's mixture, on average of the two players: 0 in an equilibrium, and nowhere
/// else.
pub fn exploitability(table: &[Vec<f64>], rows: &[f64], columns: &[f64]) -> f64 {
    let best_row = row_rewards(table, columns).fold(f64::MIN, f64::max);
    (best_row - guaranteed(table, rows)) / 2.0
}

/// The least reward of the first player's mixture, over all columns.
pub fn guaranteed(table: &[Vec<f64>], rows: &[f64]) -> f64 {
    let columns = 0..table.first().map_or(0, Vec::len);
    let reward = |column: usize| rows.iter().zip(table).map(|(chance, row)| chance * row[column]).sum::<f64>();
    columns.map(reward).fold(f64::MAX, f64::min)
}

/// The reward of each row against a mixture of columns.
fn row_rewards(table: &[Vec<f64>], columns: &[f64]) -> impl Iterator<Item = f64> {
    table.iter().map(move |row| row.iter().zip(columns).map(|(reward, chance)| reward * chance).sum())
}

/// The equilibrium of a table with at least one row and one column.
///
/// A table of positive rewards A of value v is the linear programme: the most that all y together can be where A y <= 1
/// and y >= 0. The columns' mixture is v y with v = 1 / sum y, and the rows' mixture is v times the prices of the
/// constraints (Dantzig 1951). The simplex method solves it from y = 0, and Bland's rule (1977) keeps it from going in
/// circles.
pub fn equilibrium(table: &[Vec<f64>]) -> Equilibrium {
    let (rows, columns) = (table.len(), table[0].len());
    let least = table.iter().flatten().copied().fold(f64::MAX, f64::min);
    // One equation a row, with a slack for each, and its right side last; below them the objective.
    let mut equations: Vec<Vec<f64>> = (0..=rows)
        .map(|i| {
            let slack = |k: usize| if k == i { 1.0 } else { 0.0 };
            let rewards = (0..columns).map(|j| table.get(i).map_or(-1.0, |row| row[j] - least + 1.0));
            rewards.chain((0..rows).map(slack)).chain([if i < rows { 1.0 } else { 0.0 }]).collect()
        })
        .collect();
    let right = columns + rows;
    let mut basis: Vec<usize> = (columns..right).collect();
    while let Some(entering) = (0..right).find(|&j| equations[rows][j] < -EPSILON) {
        let limit = |&i: &usize| equations[i][right] / equations[i][entering];
        let limiting = (0..rows).filter(|&i| equations[i][entering] > EPSILON);
        let by_limit = |a: &usize, b: &usize| limit(a).total_cmp(&limit(b)).then(basis[*a].cmp(&basis[*b]));
        // All rewards are positive, so no y can grow for ever.
        let Some(leaving) = limiting.min_by(by_limit) else { break };
        pivot(&mut equations, leaving, entering);
        basis[leaving] = entering;
    }
    let sum = equations[rows][right];
    let mut mixture = vec![0.0; columns];
    for (i, &variable) in basis.iter().enumerate().filter(|(_, variable)| **variable < columns) {
        mixture[variable] = equations[i][right] / sum;
    }
    let prices = equations[rows][columns..right].iter().map(|price| price / sum).collect();
    Equilibrium { value: 1.0 / sum + least - 1.0, rows: prices, columns: mixture }
}

/// A value below this is a rounding error.
const EPSILON: f64 = 1e-12;

/// Makes the entering variable stand in one equation only, with the factor 1.
fn pivot(equations: &mut [Vec<f64>], leaving: usize, entering: usize) {
    let factor = equations[leaving][entering];
    equations[leaving].iter_mut().for_each(|entry| *entry /= factor);
    let equation = equations[leaving].clone();
    for other in equations.iter_mut().enumerate().filter(|(i, _)| *i != leaving).map(|(_, other)| other) {
        let factor = other[entering];
        other.iter_mut().zip(&equation).for_each(|(entry, subtracted)| *entry -= factor * subtracted);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boughs_games::matrix::Table;

    fn assert_close(found: &[f64], known: &[f64]) {
        let is_close = found.iter().zip(known).all(|(a, b)| (a - b).abs() < 1e-9);
        assert!(found.len() == known.len() && is_close, "{found:?} instead of {known:?}");
    }

    #[test]
    fn known_equilibria_are_found() {
        for (table, value, rows, columns) in [
            (Table::Pennies, 0.5, vec![0.5; 2], vec![0.5; 2]),
            (Table::Rps, 0.5, vec![1.0 / 3.0; 3], vec![1.0 / 3.0; 3]),
            (Table::Biased, 0.5, vec![0.2, 0.5, 0.3], vec![0.2, 0.5, 0.3]),
            (Table::Dominated, 7.0 / 12.0, vec![1.0 / 3.0, 2.0 / 3.0, 0.0], vec![1.0 / 3.0, 2.0 / 3.0, 0.0]),
        ] {
            let found = equilibrium(&table.rows());
            assert_close(&[found.value], &[value]);
            assert_close(&found.rows, &rows);
            assert_close(&found.columns, &columns);
        }
    }

    #[test]
    fn a_saddle_point_is_played_purely() {
        let found = equilibrium(&[vec![3.0, -1.0, 4.0], vec![2.0, 1.0, 5.0]]);
        assert_close(&[found.value], &[1.0]);
        assert_close(&found.rows, &[0.0, 1.0]);
        assert_close(&found.columns, &[0.0, 1.0, 0.0]);
    }

    #[test]
    fn no_player_gains_in_an_equilibrium_of_a_random_table() {
        for seed in 0..300 {
            let table = Table::Random(seed).rows();
            // Also with equal rewards, where the simplex method could go in circles, and with other shapes.
            let rounded = |row: &Vec<f64>| row.iter().map(|reward| (reward * 3.0).round()).collect();
            for table in [table[..(seed as usize % 6) + 1].to_vec(), table.iter().map(rounded).collect(), table] {
                let Equilibrium { value, rows, columns } = equilibrium(&table);
                for mixture in [&rows, &columns] {
                    assert!(mixture.iter().all(|&chance| chance >= -1e-9), "{mixture:?}");
                    assert!((mixture.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{mixture:?}");
                }
                assert!(exploitability(&table, &rows, &columns).abs() < 1e-9, "{seed}");
                assert_close(&[expected(&table, &rows, &columns), guaranteed(&table, &rows)], &[value, value]);
            }
        }
    }

    #[test]
    fn a_mixture_that_is_not_the_equilibrium_can_be_exploited() {
        let pennies = Table::Pennies.rows();
        assert_close(&[exploitability(&pennies, &[1.0, 0.0], &[0.5, 0.5])], &[0.25]);
        assert_close(&[exploitability(&pennies, &[1.0, 0.0], &[1.0, 0.0])], &[0.5]);
        let biased = Table::Biased.rows();
        assert_close(&[guaranteed(&biased, &[1.0 / 3.0; 3])], &[1.3 / 3.0]);
        assert_close(&[expected(&biased, &[1.0, 0.0, 0.0], &[0.0, 0.5, 0.5])], &[0.6]);
    }
}
