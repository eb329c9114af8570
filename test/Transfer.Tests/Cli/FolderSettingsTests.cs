using Transfer.Cli.Options;

namespace Transfer.Tests.Cli;

public sealed class FolderSettingsTests
{
    [Fact]
    public void Resolve_NoOptions_IncludesAllAndContinuesAfterFailures()
    {
        FolderSettings settings = Resolve(string.Empty, uploads: true);
        Assert.Equal((FailurePolicy.Continue, SymbolicLinks.Follow, true, false), (settings.OnFailure, settings.Links, settings.IncludeHidden, settings.EmptyFolders));
        Assert.Empty(settings.Include.Concat(settings.Exclude));
    }

    [Fact]
    public void Resolve_EveryOption_IsUsed()
    {
        FolderSettings settings = Resolve("--include *.a --include b/ --exclude c --on-failure abort --links skip --no-hidden --empty-folders", uploads: true);
        Assert.Equal(["*.a", "b/"], settings.Include);
        Assert.Equal(["c"], settings.Exclude);
        Assert.Equal((FailurePolicy.Abort, SymbolicLinks.Skip, false, true), (settings.OnFailure, settings.Links, settings.IncludeHidden, settings.EmptyFolders));
    }

    [Fact]
    public void Resolve_Environment_IsUsedWithoutTheOption()
    {
        FolderOptions options = new();
        OptionValues values = CliLine.Values(options.AddTo, string.Empty, ("TRANSFER_ON_FAILURE", "abort"), ("TRANSFER_NO_HIDDEN", "1"));
        FolderSettings settings = FolderSettings.Resolve(values, options, uploads: false);
        Assert.Equal((FailurePolicy.Abort, false), (settings.OnFailure, settings.IncludeHidden));
    }

    [Theory]
    [InlineData("--on-failure retry", "--on-failure got 'retry'; it accepts abort or continue")]
    [InlineData("--links copy", "--links got 'copy'; it accepts follow or skip")]
    public void Resolve_InvalidValue_ErrorNamesOptionValueAndAcceptedValues(string line, string message)
        => Assert.StartsWith(message, Assert.Throws<UsageException>(() => Resolve(line, uploads: true)).Message, StringComparison.Ordinal);

    private static FolderSettings Resolve(string line, bool uploads)
    {
        FolderOptions options = new();
        return FolderSettings.Resolve(CliLine.Values(options.AddTo, line), options, uploads);
    }
}
