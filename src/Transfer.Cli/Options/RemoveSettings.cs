using System.CommandLine;
using Transfer.S3.Bench.Text;

namespace Transfer.S3.Cli.Options;

/// <summary>What <c>transfer rm</c> deletes.</summary>
/// <param name="Address">The object, or the prefix.</param>
internal sealed record RemoveSettings(Location Address)
{
    /// <summary>Gets the objects, if there are several.</summary>
    public IReadOnlyList<Location> Several { get; private init; } = [];

    public bool IsRecursive { get; private init; }

    /// <summary>Gets what the address can be a pattern of; null if it has no wildcards, or none that are expanded.</summary>
    public KeyPattern? Wildcards { get; private init; }

    /// <summary>Gets the pattern that the address was found to be; null if it is a name.</summary>
    public KeyPattern? Pattern { get; private init; }

    /// <summary>Gets a value that indicates whether all objects of the bucket may be deleted.</summary>
    public bool AllowsWholeBucket { get; private init; }

    /// <summary>Gets the version of one object; null for the object.</summary>
    public string? VersionId { get; private init; }

    public bool RequesterPays { get; private init; }

    public bool DryRun { get; private init; }

    /// <summary>Gets a value that indicates whether many objects are deleted without a question.</summary>
    public bool IsConfirmed { get; private init; }

    /// <summary>Gets the options of the deletion of many objects; null for one.</summary>
    public DeleteDirectoryOptions? Many { get; private init; }

    /// <summary>Gets a number of what is deleted, in words.</summary>
    public string Count(long number) => Many is { Versions: true } ? Units.Count(number, "version or delete marker", "versions and delete markers") : Units.Count(number, "object", "objects");

    /// <summary>Gets the list of the keys to delete; null to list the objects.</summary>
    public KeyListSettings? Keys { get; private init; }

    /// <summary>Gets a value that indicates whether the ETags of the list are ignored.</summary>
    public bool IgnoresETags { get; private init; }

    /// <summary>Gets the maximum number of requests; null to adapt it.</summary>
    public ClientLimits Limits { get; private init; } = new();

    public static RemoveSettings Resolve(string[] addresses, OptionValues values, RemoveOptions options, ReadOptions read, TransferOptions transfer, DateTimeOffset now)
    {
        bool isRecursive = values.IsOn(options.Recursive);
        if (isRecursive && addresses.Length > 1)
        {
            throw new UsageException($"{options.Recursive.Name} deletes what is under one prefix, and {addresses.Length} were given; run rm once for each of them");
        }

        Location[] locations = [.. addresses.Select(static text => Location.ParseBucket(text, "rm"))];
        KeyPattern? wildcards = locations.Length > 1 || values.IsOnLine(read.VersionId) ? null : KeyPattern.Find(locations[0]);
        RemoveSettings settings = isRecursive ? ForMany(locations[0], values, options, now, wildcards)
            : wildcards is not null ? ForMany(locations[0], values, options, now, wildcards, isRecursive: false)
            : locations.Length > 1 ? ForSeveral(locations, values, options)
            : ForOne(locations[0], values, options, read);
        settings = settings with { RequesterPays = new ReadSettings(values, read).RequesterPays, DryRun = values.IsOn(transfer.DryRun) };
        return settings.Many is null ? settings : settings with
        {
            Limits = new TransferSettings(values, transfer, uploads: false).LimitsOfDeletion,
            Many = settings.Many with { RequesterPays = settings.RequesterPays },
        };
    }

    /// <summary>Gets the settings for what a pattern matches.</summary>
    /// <exception cref="UsageException">Thrown when that can't be done, or isn't allowed.</exception>
    public RemoveSettings Expand(KeyPattern pattern, RemoveOptions options)
    {
        if (pattern.CoversBucket && !AllowsWholeBucket)
        {
            throw new UsageException($"'{pattern.Given}' has nothing but wildcards; add {options.WholeBucket.Name} to delete all objects that match in the bucket");
        }

        Location prefix = Many!.MaxDelete is null ? pattern.Literal : pattern.Folder; // a percentage is one of the folder
        return this with
        {
            Address = prefix,
            Pattern = pattern,
            Many = Many with { AnyPrefix = true, WholeBucket = prefix.Key.Length == 0, Filter = pattern.AddTo(Many.Filter, IsRecursive, withFolders: IsRecursive) },
        };
    }

    /// <summary>Gets the settings for the object that has the address as its name.</summary>
    /// <exception cref="UsageException">Thrown when there are options that would not have an effect.</exception>
    public RemoveSettings ForName(OptionValues values, RemoveOptions options)
    {
        RefuseMany(values, options, hasQuestion: true);
        return this with { Many = null, Wildcards = null };
    }

    private static void RefuseMany(OptionValues values, RemoveOptions options, bool hasQuestion = false)
    {
        Option[] ofMany =
        [
            options.AnyPrefix, options.WholeBucket, .. options.Selection.All, .. options.Keys.All, options.MaxDelete, options.IfUnchanged, options.EvenIfChanged, options.Versions,
            .. hasQuestion ? Array.Empty<Option>() : [options.Yes],
        ];
        if (ofMany.FirstOrDefault(values.IsOnLine) is { } option)
        {
            throw new UsageException($"{option.Name} is for many objects; use it with -r");
        }
    }

    private static RemoveSettings ForOne(Location address, OptionValues values, RemoveOptions options, ReadOptions read)
    {
        RefuseMany(values, options);
        return address.Key.Length == 0
            ? throw new UsageException($"'{address}' is a bucket; add -r and {options.WholeBucket.Name} to delete all objects in it, or use rb to remove the empty bucket")
            : new RemoveSettings(address) { VersionId = new ReadSettings(values, read).VersionId };
    }

    private static RemoveSettings ForSeveral(Location[] addresses, OptionValues values, RemoveOptions options)
    {
        RefuseMany(values, options);
        return Array.Find(addresses, static address => address.Key.Length == 0) is { } bucket
            ? throw new UsageException($"'{bucket}' is a bucket; rm without -r needs the keys of objects")
            : new RemoveSettings(addresses[0]) { Several = addresses };
    }

    private static RemoveSettings ForMany(Location address, OptionValues values, RemoveOptions options, DateTimeOffset now, KeyPattern? wildcards, bool isRecursive = true)
    {
        if (!isRecursive && options.Keys.All.Append(options.AnyPrefix).FirstOrDefault(values.IsOnLine) is { } option)
        {
            throw new UsageException($"{option.Name} is for many objects; use it with -r");
        }

        ObjectFilter filter = options.Selection.Resolve(values, now, hasStorageClass: true);
        KeyListSettings? keys = KeyListSettings.Resolve(values, options.Keys, filter);

        // A flag that allows so much is never read from the environment.
        bool isAnyPrefix = address.Key.Length > 0 && values.Flag(options.AnyPrefix);
        wildcards = keys is null && !isAnyPrefix ? wildcards : null;
        bool wholeBucket = (address.Key.Length == 0 || wildcards is { CoversBucket: true }) && keys is null && values.Flag(options.WholeBucket);
        if (address.Key.Length == 0 && keys is null && !wholeBucket)
        {
            throw new UsageException($"'{address}' has no prefix; add {options.WholeBucket.Name} to delete all objects of the bucket");
        }

        // A list is read once, and has neither counts nor versions, so the options that need them stay unread and are refused. Its ETags decide if it has some.
        bool hasETags = keys is { Format.HasETags: true };
        bool ignoresETags = hasETags && values.Flag(options.EvenIfChanged);
        bool versions = keys is null && values.Flag(options.Versions);
        bool onlyIfUnchanged = !ignoresETags && !versions && values.Flag(options.IfUnchanged); // a version doesn't change
        GivenValue? limit = keys is null ? values.Line(options.MaxDelete) : null;
        return new RemoveSettings(address)
        {
            IsRecursive = isRecursive,
            Wildcards = wildcards,
            AllowsWholeBucket = wholeBucket,
            IsConfirmed = values.Flag(options.Yes),
            Keys = keys,
            IgnoresETags = ignoresETags,
            Many = new DeleteDirectoryOptions
            {
                WholeBucket = wholeBucket && address.Key.Length == 0,
                AnyPrefix = isAnyPrefix,
                Filter = filter,
                MaxDelete = limit is { } given ? DeletionLimitText.Parse(given) : null,
                Versions = versions,
                OnlyIfUnchanged = onlyIfUnchanged || (hasETags && !ignoresETags),
                OnFailure = FailurePolicy.Continue,
            },
        };
    }
}
