using Transfer.S3.Files;

namespace Transfer.S3.Tests.Files;

/// <summary>The names of files of transfers.</summary>
public sealed class HiddenFileNameTests : IDisposable
{
    private const string Id = "0123456789abcdef";

    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Names_AreRecognized()
    {
        foreach (string name in (string[])["a", "", "a.b", ".a", "é", new string('x', 255)])
        {
            Assert.All([HiddenFileName.Create(name), HiddenFileName.OfFile(name, Id), HiddenFileName.OfJournal(name, Id)], hidden => Assert.True(HiddenFileName.IsMatch(hidden), hidden));
            Assert.Equal(name.Length is 0 or 255 ? null : name, HiddenFileName.FindName(HiddenFileName.Create(name)));
            Assert.Null(HiddenFileName.FindName(HiddenFileName.OfJournal(name, Id)));
        }
    }

    [Theory]
    [InlineData("a.transfer")]
    [InlineData(".transfer")]
    [InlineData(".a.transfer")]
    [InlineData(".a.0123456789a.transfer")]
    [InlineData(".a.0123456789AB.transfer")]
    [InlineData(".a.0123456789ag.transfer")]
    [InlineData("a.0123456789ab.transfer")]
    [InlineData(".a.0123456789ab.transfer-")]
    [InlineData(".a.0123456789ab.transfer/")]
    [InlineData(".a-0123456789ab.transfer")]
    [InlineData("")]
    public void OtherNames_AreNot(string name) => Assert.False(HiddenFileName.IsMatch(name));

    [UnixFact]
    [System.Runtime.Versioning.UnsupportedOSPlatform("windows")]
    public void Files_InUse_ArentDeleted()
    {
        using LocalFolder folder = LocalFolder.Open(_folder.Path);
        string file = HiddenFileName.OfFile("a", Id);
        string journal = HiddenFileName.OfJournal("a", Id);
        Make(file, UnixFileMode.UserRead | UnixFileMode.UserWrite);
        Make(journal, UnixFileMode.UserRead | UnixFileMode.UserWrite);
        using (PrivateFile.TryOpen(folder, journal, create: false, locked: true))
        {
            Assert.False(HiddenFileName.TryDelete(folder, file));
            Assert.False(HiddenFileName.TryDelete(folder, journal));
        }

        using (AtomicFile writing = AtomicFile.Create(folder, "b", 1))
        {
            Assert.False(HiddenFileName.TryDelete(folder, Path.GetFileName(Directory.GetFiles(_folder.Path).Single(path => path.Contains(".b.", StringComparison.Ordinal)))));
        }

        Make(HiddenFileName.OfFile("c", Id), UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.OtherRead);
        Assert.True(HiddenFileName.TryDelete(folder, HiddenFileName.OfFile("c", Id))); // it has its final permissions, and its process was killed before it was renamed
        Make(HiddenFileName.OfJournal("d", Id), UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.OtherRead);
        Assert.False(HiddenFileName.TryDelete(folder, HiddenFileName.OfJournal("d", Id))); // no transfer has created it
        Assert.True(HiddenFileName.TryDelete(folder, file));
        Assert.True(HiddenFileName.TryDelete(folder, journal));
        Assert.Equal([HiddenFileName.OfJournal("d", Id)], Directory.GetFiles(_folder.Path).Select(Path.GetFileName));
    }

    [System.Runtime.Versioning.UnsupportedOSPlatform("windows")]
    private void Make(string name, UnixFileMode mode)
    {
        File.WriteAllText(_folder.File(name), "x");
        File.SetUnixFileMode(_folder.File(name), mode);
    }
}
