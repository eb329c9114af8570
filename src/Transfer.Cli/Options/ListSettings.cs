namespace Transfer.S3.Cli.Options;

/// <summary>The objects that a command finds by a listing.</summary>
/// <param name="Given">The address on the command line.</param>
/// <param name="IsFolder">Whether the address is the name of a folder, and not just what keys begin with.</param>
/// <param name="Options">The objects of the prefix to list.</param>
internal sealed record ListSettings(Location Given, bool IsFolder, ListObjectsOptions Options)
{
    /// <summary>Gets the prefix to list.</summary>
    public Location Prefix => IsFolder ? Given.Folder : Given;

    /// <param name="given">The address on the command line.</param>
    /// <param name="values">The command line and the environment.</param>
    /// <param name="options">The options.</param>
    /// <param name="recursive">Whether all levels are listed. One level is that of the prefix as it is.</param>
    /// <param name="now">The current time.</param>
    public static ListSettings Resolve(Location given, OptionValues values, ListOptions options, bool recursive, DateTimeOffset now)
    {
        ReadSettings read = new(values, options.Read);
        return new ListSettings(given, recursive && !(given.Key.Length > 0 && values.Flag(options.AnyPrefix)), new ListObjectsOptions
        {
            Delimiter = recursive ? null : "/",
            Filter = options.Selection.Resolve(values, now, hasStorageClass: true),
            AsOf = read.AsOf(now),
            RequesterPays = read.RequesterPays,
        });
    }
}
