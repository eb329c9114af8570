using Transfer.Scheduling;
using Transfer.Tests.Infrastructure;

namespace Transfer.Tests.Scheduling;

public sealed class JournalPresenceTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("transfer-test-");
    private readonly FakeTimeProvider _time = new();

    [Fact]
    public void NoStateDirectory_HasNone() => Assert.False(new JournalPresence(null, _time).MayHaveAny());

    [Fact]
    public void DirectoryIsNotThere_HasNone() => Assert.False(new JournalPresence(Path.Combine(_folder.FullName, "gone"), _time).MayHaveAny());

    [Fact]
    public void OtherFiles_AreNoJournals()
    {
        Write("download-1.journal");

        Assert.False(new JournalPresence(_folder.FullName, _time).MayHaveAny());
    }

    [Fact]
    public void Journal_IsFound()
    {
        Write("upload-1.journal");

        Assert.True(new JournalPresence(_folder.FullName, _time).MayHaveAny());
    }

    [Fact]
    public void JournalOfAnotherProcess_IsFoundASecondLater()
    {
        JournalPresence journals = new(_folder.FullName, _time);
        Assert.False(journals.MayHaveAny());

        Write("upload-1.journal");
        Assert.False(journals.MayHaveAny());
        _time.Advance(TimeSpan.FromSeconds(1));

        Assert.True(journals.MayHaveAny());
    }

    [Fact]
    public void JournalOfThisClient_IsFoundAtOnce()
    {
        JournalPresence journals = new(_folder.FullName, _time);
        Assert.False(journals.MayHaveAny());

        Write("upload-1.journal");
        journals.Created();

        Assert.True(journals.MayHaveAny());
    }

    public void Dispose() => _folder.Delete(recursive: true);

    private void Write(string name) => File.WriteAllText(Path.Combine(_folder.FullName, name), string.Empty);
}
