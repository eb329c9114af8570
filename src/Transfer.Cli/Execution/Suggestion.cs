namespace Transfer.S3.Cli.Execution;

/// <summary>Finds what a misspelled word could mean.</summary>
internal static class Suggestion
{
    /// <summary>The length from which the beginning of a word is enough.</summary>
    private const int MinStart = 5;

    /// <summary>Finds the most similar of some words, or the only one that begins like this.</summary>
    /// <returns>The word; null if none is similar enough to be meant.</returns>
    public static string? Find(string word, IEnumerable<string> words)
    {
        string[] longer = [.. words.Where(other => word.Length >= MinStart && other.StartsWith(word, StringComparison.Ordinal))];
        if (longer is [{ } only])
        {
            return only;
        }

        int most = word.TrimStart('-').Length > 4 ? 2 : 1;
        (string Word, int Distance) best = words.Select(other => (other, Distance(word, other))).DefaultIfEmpty((string.Empty, int.MaxValue)).MinBy(one => one.Item2);
        return best.Distance <= most ? best.Word : null;
    }

    /// <summary>Gets the number of characters to insert, remove, replace, or swap with the next one.</summary>
    private static int Distance(string a, string b)
    {
        int[][] table = [.. Enumerable.Range(0, a.Length + 1).Select(_ => new int[b.Length + 1])];
        for (int i = 0; i <= a.Length; i++)
        {
            for (int j = 0; j <= b.Length; j++)
            {
                if (i == 0 || j == 0)
                {
                    table[i][j] = i + j;
                    continue;
                }

                int cost = a[i - 1] == b[j - 1] ? 0 : 1;
                int least = Math.Min(Math.Min(table[i - 1][j], table[i][j - 1]) + 1, table[i - 1][j - 1] + cost);
                bool isSwapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
                table[i][j] = isSwapped ? Math.Min(least, table[i - 2][j - 2] + 1) : least;
            }
        }

        return table[a.Length][b.Length];
    }
}
