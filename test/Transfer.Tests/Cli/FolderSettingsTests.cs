using Transfer.S3.Cli.Options;

namespace Transfer.S3.Tests.Cli;

public sealed class FolderSettingsTests
{
    private static readonly DateTimeOffset Now = new(2026, 3, 10, 12, 0, 0, TimeSpan.Zero);

    [Fact]
    public void Rules_KeepTheOrderOfAllOptions()
    {
        string file = Path.GetTempFileName();
        File.WriteAllLines(file, ["# a comment", "", "- *.tmp", " + keep.tmp "]);

        FolderSettings settings = Resolve($"--exclude * --include=a --filter-from {file} --exclude b --include c", uploads: false);

        File.Delete(file);
        Assert.Equal([new("*", false), new("a", true), new("*.tmp", false), new("keep.tmp", true), new("b", false), new("c", true)], settings.Filter.Rules);
    }

    [Theory]
    [InlineData("--newer-than 1d", "2026-03-09T12:00:00Z", null)]
    [InlineData("--older-than 2026-01-31T10:00Z", null, "2026-01-31T10:00:00Z")]
    [InlineData("--newer-than 2026-01-31T10:00:01+02:00 --older-than 0", "2026-01-31T08:00:01Z", "2026-03-10T12:00:00Z")]
    public void Times_AreDurationsOrDates(string line, string? since, string? before)
    {
        ObjectFilter filter = Resolve(line, uploads: true).Filter;
        Assert.EachEqual((Time(since), Time(before)), (filter.ModifiedSince, filter.ModifiedBefore));

        static DateTimeOffset? Time(string? text) => text is null ? null : DateTimeOffset.Parse(text, System.Globalization.CultureInfo.InvariantCulture);
    }

    [Fact]
    public void SizesAndClasses_AreRead()
    {
        ObjectFilter filter = Resolve("--min-size 1KiB --max-size 2KB --in-storage-class GLACIER --in-storage-class STANDARD", uploads: false).Filter;
        Assert.EachEqual((1024, 2000), (filter.MinSizeBytes, filter.MaxSizeBytes));
        Assert.Equal(["GLACIER", "STANDARD"], filter.StorageClasses);
    }

    [Fact]
    public void Resolve_NoOptions_IncludesAllAndContinuesAfterFailures()
    {
        FolderSettings settings = Resolve(string.Empty, uploads: true);
        Assert.EachEqual((FailurePolicy.Continue, SymbolicLinks.Follow, true, false), (settings.OnFailure, settings.Links, settings.IncludeHidden, settings.EmptyFolders));
        Assert.Equivalent(new ObjectFilter(), settings.Filter);
    }

    [Fact]
    public void Resolve_EveryOption_IsUsed()
    {
        FolderSettings settings = Resolve("--include *.a --include b/ --exclude c --on-failure abort --links skip --no-hidden --empty-folders", uploads: true);
        Assert.Equal([new("*.a", true), new("b/", true), new("c", false)], settings.Filter.Rules);
        Assert.EachEqual((FailurePolicy.Abort, SymbolicLinks.Skip, false, true), (settings.OnFailure, settings.Links, settings.IncludeHidden, settings.EmptyFolders));
    }

    [UnixFact]
    public void SpecialNames_AreForDownloads()
    {
        Assert.True(Resolve("--allow-special-names", uploads: false).AllowSpecialNames);
        Assert.False(Resolve(string.Empty, uploads: false).AllowSpecialNames);
        Assert.False(Resolve("--allow-special-names", uploads: true).AllowSpecialNames); // it isn't read, so the command refuses it
    }

    [Fact]
    public void Resolve_Environment_IsUsedWithoutTheOption()
    {
        FolderOptions options = new();
        OptionValues values = CliLine.Values(options.AddTo, string.Empty, ("TRANSFER_ON_FAILURE", "abort"), ("TRANSFER_NO_HIDDEN", "1"));
        FolderSettings settings = FolderSettings.Resolve(values, options, uploads: false, downloads: true, Now);
        Assert.EachEqual((FailurePolicy.Abort, false), (settings.OnFailure, settings.IncludeHidden));
    }

    [Theory]
    [InlineData("--on-failure retry", "--on-failure got 'retry'; it accepts abort or continue")]
    [InlineData("--min-size 1.5", "--min-size got '1.5'; it accepts a size")]
    [InlineData("--min-size 2 --max-size 1", "--max-size got '1'; it accepts a size that is not less than --min-size")]
    [InlineData("--newer-than yesterday", "--newer-than got 'yesterday'; it accepts a time ago")]
    [InlineData("--older-than 2026-13-01", "--older-than got '2026-13-01'; it accepts a time ago")]
    [InlineData("--filter-from /no/such/file", "--filter-from got '/no/such/file'; it accepts a file with rules")]
    [InlineData("--links copy", "--links got 'copy'; it accepts follow or skip")]
    public void Resolve_InvalidValue_ErrorNamesOptionValueAndAcceptedValues(string line, string message)
        => Assert.StartsWith(message, Assert.Throws<UsageException>(() => Resolve(line, uploads: true)).Message, StringComparison.Ordinal);

    private static FolderSettings Resolve(string line, bool uploads)
    {
        FolderOptions options = new();
        return FolderSettings.Resolve(CliLine.Values(options.AddTo, line), options, uploads, !uploads, Now);
    }
}
