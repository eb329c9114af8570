using System.Globalization;

namespace Transfer.S3.Cli.Options;

/// <summary>Lists of shards as engines write them: 1,3,5-7.</summary>
internal static class ShardList
{
    /// <summary>Gets the ranges of consecutive indices, which are in ascending order.</summary>
    public static IReadOnlyList<(int First, int Last)> GetRanges(IEnumerable<int> shards)
    {
        List<(int First, int Last)> ranges = [];
        foreach (int shard in shards)
        {
            if (ranges is [.., var last] && last.Last == shard - 1)
            {
                ranges[^1] = last with { Last = shard };
            }
            else
            {
                ranges.Add((shard, shard));
            }
        }

        return ranges;
    }

    /// <summary>Gets the list as text.</summary>
    /// <param name="ranges">The ranges.</param>
    /// <param name="first">The index that stands for the first shard.</param>
    public static string Format(IEnumerable<(int First, int Last)> ranges, int first = 0)
        => string.Join(',', ranges.Select(range => range.First == range.Last ? Text(range.First + first) : $"{Text(range.First + first)}-{Text(range.Last + first)}"));

    /// <summary>Gets the commands that run shards again: of the engines that can be told so, and of the tool.</summary>
    public static IEnumerable<string> GetCommands(IReadOnlyList<(int First, int Last)> ranges)
    {
        const int MaxCommands = 3;
        foreach (EngineVariable engine in EngineVariable.All.Where(static engine => engine.Again is not null))
        {
            if (!engine.TakesOneRange)
            {
                yield return string.Format(CultureInfo.InvariantCulture, engine.Again!, Format(ranges, engine.First));
            }
            else if (ranges.Count <= MaxCommands)
            {
                yield return string.Join(", ", ranges.Select(range => string.Format(CultureInfo.InvariantCulture, engine.Again!, $"{Text(range.First + engine.First)}-{Text(range.Last + engine.First)}")));
            }
        }

        yield return $"transfer run RUN --shards {Format(ranges)}";
    }

    /// <summary>Parses a list in ascending order.</summary>
    public static bool TryParse(string text, out IReadOnlyList<(int First, int Last)> ranges)
    {
        List<(int First, int Last)> found = [];
        foreach (string part in text.Split(','))
        {
            string[] ends = part.Split('-');
            if (ends.Length > 2 || !TryParseIndex(ends[0], out int first) || !TryParseIndex(ends[^1], out int last) || last < first || (found is [.., var before] && first <= before.Last))
            {
                ranges = [];
                return false;
            }

            found.Add((first, last));
        }

        ranges = found;
        return true;
    }

    /// <summary>Parses the index of a shard or a task.</summary>
    public static bool TryParseIndex(string text, out int index) => int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out index) && index < int.MaxValue / 2;

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);
}
