using System.Globalization;
using Transfer.S3.Bench.Text;

namespace Transfer.S3.Cli.Options;

/// <summary>The shards that a process runs, and what said so.</summary>
/// <param name="Ranges">The first and the last index of each range of shards, in ascending order.</param>
/// <param name="Source">The option or the variable.</param>
internal sealed record ShardChoice(IReadOnlyList<(int First, int Last)> Ranges, string Source)
{
    private const string AcceptedShard = "the index of a shard, from 0";
    private const string AcceptedShards = "indices of shards in ascending order, such as 0-9 or 1,3,5-7";

    private ShardChoice(int first, int last, string source)
        : this([(first, last)], source)
    {
    }

    public IEnumerable<int> Shards => Ranges.SelectMany(static range => Enumerable.Range(range.First, range.Last - range.First + 1));

    /// <summary>Gets the choice in messages.</summary>
    public string Text => Ranges is [var only] && only.First == only.Last ? $"shard {only.First}, by {Source}" : $"shards {ShardList.Format(Ranges)}, by {Source}";

    /// <param name="values">The command line and the environment.</param>
    /// <param name="options">The options.</param>
    /// <exception cref="UsageException">Nothing tells the shard, or two engines do.</exception>
    public static ShardChoice Resolve(OptionValues values, ShardOptions options)
    {
        (GivenValue? one, GivenValue? several) = (values.Line(options.Shard), values.Line(options.Shards));
        if (one is not null && several is not null)
        {
            throw new UsageException($"{options.Shard.Name} and {options.Shards.Name} contradict each other; specify only one of them");
        }

        return one is not null ? OfIndex(one)
            : several is not null ? OptionValues.Convert<ShardChoice>(several, (string text, out ShardChoice choice) => TryParse(text, several.Source, out choice), AcceptedShards)
            : values.Find(options.Shard) is { } variable ? OfIndex(variable)
            : OfEngine(values.Environment, options);
    }

    private static ShardChoice OfIndex(GivenValue given)
    {
        int index = OptionValues.Convert<int>(given, ShardList.TryParseIndex, AcceptedShard);
        return new ShardChoice(index, index, given.Source);
    }

    private static ShardChoice OfEngine(ToolEnvironment environment, ShardOptions options)
    {
        EngineVariable[] found = [.. EngineVariable.All.Where(variable => environment.Get(variable.Name) is { } text && text != variable.Absent)];
        return found switch
        {
            [{ } only] => OfEngine(environment, only),
            [] => throw new UsageException(
                $"nothing says which shard to run; specify {options.Shard.Name}, or run it as a task of an array, which sets one of {string.Join(", ", EngineVariable.All.Select(static variable => variable.Name))}"),
            [{ } one, { } other, ..] => throw new UsageException($"{one.Name} and {other.Name} are both set, so it isn't known which of them says which shard to run; specify {options.Shard.Name} or {OptionValues.GetVariable(options.Shard)}"),
        };
    }

    private static ShardChoice OfEngine(ToolEnvironment environment, EngineVariable variable)
    {
        GivenValue given = new(variable.Name, environment.Get(variable.Name)!);
        int index = GetNumber(given);
        int last = index;
        if (variable.Step is { } step && environment.Get(step) is { } text)
        {
            last = checked(index + Math.Max(1, GetNumber(new GivenValue(step, text))) - 1);
            last = variable.Last is { } end && environment.Get(end) is { } limit ? Math.Max(index, Math.Min(last, GetNumber(new GivenValue(end, limit)))) : last;
        }

        return index < variable.First
            ? throw OptionValues.Wrong(given, $"an index from {variable.First}")
            : new ShardChoice(index - variable.First, last - variable.First, string.Create(CultureInfo.InvariantCulture, $"{variable.Name}={Printable.Text(given.Text)}"));
    }

    private static int GetNumber(GivenValue given) => OptionValues.Convert<int>(given, ShardList.TryParseIndex, "the index of a task");

    private static bool TryParse(string text, string source, out ShardChoice choice)
    {
        bool isList = ShardList.TryParse(text, out IReadOnlyList<(int First, int Last)> ranges);
        choice = new ShardChoice(ranges, source);
        return isList;
    }
}
