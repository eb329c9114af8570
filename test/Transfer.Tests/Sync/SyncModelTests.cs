using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Sync;

/// <summary>Random trees on both sides and random options, with an oracle that says how they end.</summary>
public sealed class SyncModelTests : TransferTest
{
    private static readonly string[] Folders = ["k/", "l/m/"];
    private static readonly string[] Names = ["a", "a!", "b", "d/a", "d/a!b", "d/e/x", "d/e!", "d-f", "e/y", "e/z/w", "é", "\uFF21/x", "\U0001F600", "x.tmp", "d/x.tmp", "tmp/q", "tmp/r.log", .. Folders];
    private static readonly string[] Clashing = ["d", "d/e", "a/b", "b/c/d"];
    private static readonly string[] Patterns = ["*.tmp", "tmp/", "d/**", "d/*", "tmp", "*.log", "é", "l/"];
    private static readonly string[] Contents = ["", "1", "2", "33", "44", "a longer content"];

    [Theory]
    [InlineData(SyncDirection.Upload)]
    [InlineData(SyncDirection.Download)]
    [InlineData(SyncDirection.Inside)]
    [InlineData(SyncDirection.Between)]
    public async Task Sync_EndsAsTheModel(SyncDirection direction)
    {
        int seeds = LongTests.Choose(full: 300, quick: 100);
        for (int seed = 0; seed < seeds; seed++)
        {
            await CheckAsync(direction, seed);
        }
    }

    private async Task CheckAsync(SyncDirection direction, int seed)
    {
        Random random = new((seed * 4) + (int)direction);
        FakeS3 store = new() { PageSize = random.Next(1, 6) };
        using SyncPair pair = new(direction, store, s3 => NewClient(s3.Client)) { Folders = Folders };
        pair.Target.PageSize = random.Next(1, 6);
        Dictionary<string, string> source = NewTree(random, isLocal: pair.HasLocalSource);
        Dictionary<string, string> target = NewTree(random, isLocal: pair.HasLocalTarget);
        pair.SetSource(source);
        pair.SetTarget(target);
        bool deletes = random.Next(3) > 0;
        List<Outcome> ended = [];
        SyncOptions options = new()
        {
            Include = random.Next(4) == 0 ? [Patterns[random.Next(Patterns.Length)], "a*", "x*"] : [],
            Exclude = random.Next(2) == 0 ? [Patterns[random.Next(Patterns.Length)]] : [],
            Filter = random.Next(4) == 0 ? new ObjectFilter { MinSizeBytes = random.Next(2), MaxSizeBytes = random.Next(1, 3) } : null,
            OnFailure = FailurePolicy.Continue,
            MaxConcurrentObjects = random.Next(1, 5),
            EmptyFolders = pair.HasLocalSource && random.Next(2) == 0,
            ObjectEnded = ended.Add,
            Comparison = random.Next(3) switch { 0 => SyncComparison.Content, 1 => SyncComparison.Size, _ => SyncComparison.Auto },
            Delete = deletes,
            DeleteExcluded = deletes && random.Next(4) == 0,
            DeleteDespiteFailures = deletes && random.Next(3) == 0,
            MaxDelete = deletes ? DeletionLimit.Percent(100) : DeletionLimit.Default,
            AllowEmptySource = true,
            Backup = random.Next(2) == 0 ? pair.Backup : null,
        };
        string about = $"seed {seed} {direction}: {SyncTree.Show(source)} -> {SyncTree.Show(target)} with {options} include {string.Join(",", options.Include)} exclude {string.Join(",", options.Exclude)}";
        (Dictionary<string, string> expected, bool isComplete) = Model(source, target, options, pair.HasLocalSource, pair.HasLocalTarget);

        List<Outcome> plan = await pair.PlanAsync(options);
        Assert.True(SyncTree.Show(target) == SyncTree.Show(pair.GetTarget()), $"the plan changed something: {about}");
        DirectoryResult result = await pair.RunAsync(options);

        Assert.True(SyncTree.Show(expected) == SyncTree.Show(pair.GetTarget()), $"{about}\nexpected {SyncTree.Show(expected)}\nis       {SyncTree.Show(pair.GetTarget())}");
        Assert.True(SyncTree.Show(source) == SyncTree.Show(pair.GetSource()), $"the source changed: {about}");
        Dictionary<string, string> backup = pair.GetBackup();
        IEnumerable<KeyValuePair<string, string>> gone = target.Where(one => options.Backup is not null && !(pair.HasLocalTarget && one.Key.EndsWith('/')) && expected.GetValueOrDefault(one.Key) != one.Value);
        Assert.True(gone.All(one => backup.GetValueOrDefault(one.Key) == one.Value), $"{about}\nis lost, and the backup has only {SyncTree.Show(backup)}");
        Assert.True(backup.All(one => target.GetValueOrDefault(one.Key) == one.Value), $"{about}\nthe backup has more: {SyncTree.Show(backup)}");
        Assert.True(isComplete == result.Counts.IsComplete, $"{about}\n{string.Join("\n", result.Failures.Select(failure => $"{failure}"))} withheld {result.Counts.Withheld}");
        bool reachesDeletions = isComplete || options.DeleteDespiteFailures;
        bool IsDone(Outcome action) => action.Status != OutcomeStatus.Same && (reachesDeletions || action.Operation != ObjectOperation.Delete);
        string[] planned = [.. plan.Where(IsDone).Select(Show).Order(StringComparer.Ordinal)];
        string[] done = [.. ended.Where(IsDone).Select(Show).Order(StringComparer.Ordinal)];
        Assert.True(planned.SequenceEqual(done), $"{about}\nplanned {string.Join(" ", planned)}\ndone    {string.Join(" ", done)}");
        Assert.Equal(plan.Count(action => action.Status == OutcomeStatus.Same), result.Counts.Same);

        ended.Clear();
        DirectoryResult again = await pair.RunAsync(options);
        Assert.True(again.Counts.Copied + again.Counts.Replaced + again.Counts.Deleted == 0, $"the second run did something: {about}\n{string.Join(" ", ended.Select(outcome => Show(outcome) + outcome.Reason))}");
        bool isWhole = deletes && isComplete && options is { Include: [], Exclude: [], Filter: null } && options.Comparison != SyncComparison.Size;
        Assert.True(!isWhole || await pair.VerifyAsync(), $"verify finds a difference: {about}");
    }

    private static string Show(Outcome action) => $"{(action.Status is OutcomeStatus.Planned or OutcomeStatus.Done ? action.Operation.ToString() : action.Status.ToString())}:{action.Name}";

    private static Dictionary<string, string> NewTree(Random random, bool isLocal)
    {
        Dictionary<string, string> tree = [];
        double share = random.NextDouble();
        foreach (string name in random.Next(3) == 0 ? Names.Concat(Clashing) : Names)
        {
            // A path can't be both a file and a folder.
            bool isImpossible = isLocal && tree.Keys.Any(other => other.StartsWith(name + "/", StringComparison.Ordinal) || name.StartsWith(other + "/", StringComparison.Ordinal));
            if (random.NextDouble() < share && !isImpossible)
            {
                tree[name] = name.EndsWith('/') ? string.Empty : Contents[random.Next(Contents.Length)];
            }
        }

        return tree;
    }

    private static (Dictionary<string, string> Target, bool IsComplete) Model(
        Dictionary<string, string> source, Dictionary<string, string> target, SyncOptions options, bool isFromLocal, bool isLocal)
    {
        Transfer.S3.Trees.PathFilter filter = new(options);
        Dictionary<string, string> end = new(target);
        List<string> clashes = [];
        foreach ((string name, string content) in source)
        {
            if (!Takes(name, content, isFromLocal) || (isFromLocal && name.EndsWith('/') && !options.EmptyFolders))
            {
                continue;
            }

            bool isTaken = isLocal && !target.ContainsKey(name)
                && (source.Any(other => Takes(other.Key, other.Value, isFromLocal) && IsUnder(name, other.Key)) || target.Keys.Any(other => IsUnder(name, other) || IsUnder(other, name)));
            if (isTaken)
            {
                clashes.Add(name);
            }
            else if (options.Comparison != SyncComparison.Size || !target.TryGetValue(name, out string? there) || there.Length != content.Length)
            {
                end[name] = content;
            }
        }

        bool isComplete = clashes.Count == 0;
        if (!options.Delete || (!isComplete && !options.DeleteDespiteFailures))
        {
            return (end, isComplete);
        }

        foreach ((string name, string content) in target)
        {
            // If the name is on both sides, the properties of the source decide.
            bool isUnwanted = Takes(name, source.GetValueOrDefault(name, content), source.ContainsKey(name) ? isFromLocal : isLocal) ? !source.ContainsKey(name) : options.DeleteExcluded;
            if (isUnwanted && !clashes.Any(clash => IsUnder(name, clash) || IsUnder(clash, name)))
            {
                end.Remove(name);
            }
        }

        return (end, isComplete);

        // A local folder has no size.
        bool Takes(string name, string content, bool isLocalName)
            => isLocalName ? filter.Takes(name) && filter.TakesProperties(name.EndsWith('/'), content.Length, null) : filter.Takes(new ListedObject { Key = name, Length = content.Length }, 0);
    }

    private static bool IsUnder(string name, string folder) => name.StartsWith(folder + "/", StringComparison.Ordinal);
}
