using System.CommandLine;
using Transfer.S3.Bench.Text;

namespace Transfer.S3.Cli.Options;

/// <summary>What <c>transfer rm</c> deletes.</summary>
/// <param name="Address">The object, or the prefix.</param>
internal sealed record RemoveSettings(Location Address)
{
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
    public int? Concurrency { get; private init; }

    public static RemoveSettings Resolve(string address, OptionValues values, RemoveOptions options, ReadOptions read, TransferOptions transfer, DateTimeOffset now)
    {
        RemoveSettings settings = values.IsOn(options.Recursive)
            ? ForMany(Location.ParseBucket(address, "rm"), values, options, now)
            : ForOne(address, values, options, read);
        settings = settings with { RequesterPays = new ReadSettings(values, read).RequesterPays, DryRun = values.IsOn(transfer.DryRun) };
        return settings.Many is null ? settings : settings with
        {
            Concurrency = new TransferSettings(values, transfer, uploads: false).Concurrency,
            Many = settings.Many with { RequesterPays = settings.RequesterPays },
        };
    }

    private static RemoveSettings ForOne(string text, OptionValues values, RemoveOptions options, ReadOptions read)
    {
        Location address = Location.ParseBucket(text, "rm");
        Option[] ofMany = [options.AnyPrefix, options.WholeBucket, .. options.Selection.All, .. options.Keys.All, options.MaxDelete, options.IfUnchanged, options.EvenIfChanged, options.Versions, options.Yes];
        return ofMany.FirstOrDefault(values.IsOnLine) is { } option ? throw new UsageException($"{option.Name} is for many objects; use it with -r")
            : address.Key.Length == 0 ? throw new UsageException($"'{address}' is a bucket; add -r and {options.WholeBucket.Name} to delete all objects in it, or use rb to remove the empty bucket")
            : new RemoveSettings(address) { VersionId = new ReadSettings(values, read).VersionId };
    }

    private static RemoveSettings ForMany(Location address, OptionValues values, RemoveOptions options, DateTimeOffset now)
    {
        ObjectFilter filter = options.Selection.Resolve(values, now, hasStorageClass: true);
        KeyListSettings? keys = KeyListSettings.Resolve(values, options.Keys, filter);

        // A flag that allows so much is never read from the environment.
        bool wholeBucket = address.Key.Length == 0 && keys is null && values.Flag(options.WholeBucket);
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
            IsConfirmed = values.Flag(options.Yes),
            Keys = keys,
            IgnoresETags = ignoresETags,
            Many = new DeleteDirectoryOptions
            {
                WholeBucket = wholeBucket,
                AnyPrefix = address.Key.Length > 0 && values.Flag(options.AnyPrefix),
                Filter = filter,
                MaxDelete = limit is { } given ? DeletionLimitText.Parse(given) : null,
                Versions = versions,
                OnlyIfUnchanged = onlyIfUnchanged || (hasETags && !ignoresETags),
                OnFailure = FailurePolicy.Continue,
            },
        };
    }
}
