using System.Text;
using System.Text.Json.Serialization.Metadata;
using Microsoft.Win32.SafeHandles;
using Transfer.S3.Files;
using Transfer.S3.Resume;

namespace Transfer.S3.Tests.Resume;

public sealed class JournalTests : IDisposable
{
    private const string Name = "journal";
    private static readonly JsonTypeInfo<string> Text = JsonTypeInfo.CreateJsonTypeInfo<string>(System.Text.Json.JsonSerializerOptions.Default);
    private readonly TemporaryFolder _folder = new();
    private readonly LocalFolder _opened;

    public JournalTests() => _opened = LocalFolder.Open(_folder.Path);

    public void Dispose()
    {
        _opened.Dispose();
        _folder.Dispose();
    }

    [Fact]
    public void Open_ReturnsLinesInOrderAndAppends()
    {
        Write("one", "zwei \n ☂", string.Empty);

        using (Journal journal = Open())
        {
            Assert.Equal(["\"one\"", "\"zwei \\n \\u2602\"", "\"\""], Read(journal));
            journal.Append("four", Text);
        }

        using Journal again = Open();
        Assert.Equal(4, Read(again).Count);
        again.Restart();
        Assert.Empty(Read(again));
    }

    [Fact]
    public void Open_TruncatedAtAnyByte_KeepsCompleteLinesAndAppends()
    {
        Write("one", "two", "three");
        byte[] whole = File.ReadAllBytes(_folder.File(Name));
        int[] ends = [.. whole.Select((b, i) => (b, i)).Where(at => at.b == '\n').Select(at => at.i + 1)];
        for (int length = 0; length <= whole.Length; length++)
        {
            File.WriteAllBytes(_folder.File(Name), whole[..length]);
            using Journal journal = Open();
            int lines = ends.Count(end => end <= length);

            Assert.Equal(lines, Read(journal).Count);
            journal.Append("more", Text);
            Assert.Equal(lines + 1, Read(journal).Count);
        }
    }

    [Fact]
    public void Parse_OneBitIsWrong_StopsBeforeIt()
    {
        Write("one", "two", "three");
        byte[] whole = File.ReadAllBytes(_folder.File(Name));
        int firstEnd = Array.IndexOf(whole, (byte)'\n') + 1;
        for (int i = 0; i < whole.Length; i++)
        {
            byte[] wrong = [.. whole];
            wrong[i] ^= 4;
            Assert.True(Journal.Parse(wrong, out int end).Count < 3, $"byte {i}");
            Assert.True(end <= i && (i < firstEnd || end >= firstEnd), $"byte {i}");
        }
    }

    [Fact]
    public void Parse_NoEndOfLine_ReadsNothing()
    {
        byte[] endless = new byte[Journal.MaxLineBytes + 100];
        Array.Fill(endless, (byte)'a');

        Assert.Empty(Journal.Parse(endless, out int end));
        Assert.Equal(0, end);
    }

    [Fact]
    public void Open_IsPrivateAndExclusive()
    {
        using (Journal journal = Open())
        {
            Assert.Null(Journal.TryOpen(_opened, Name, create: true));
            if (!OperatingSystem.IsWindows())
            {
                Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(_folder.File(Name)));
            }
        }

        using Journal next = Open();
    }

    [Fact]
    public void Delete_RemovesTheFileAndStopsWriting()
    {
        Journal journal = Open();
        journal.Append("one", Text);

        journal.Delete();
        journal.Append("two", Text);
        journal.Dispose();

        Assert.Empty(_folder.Files);
        Assert.Null(Journal.TryOpen(_opened, Name, create: false));
    }

    /// <summary>The lock of the journal is on a file that has no name anymore. Another run can have created and locked the one with its name.</summary>
    [LinuxFact]
    public void Delete_NameBelongsToTheJournalOfAnother_LeavesIt()
    {
        Journal journal = Open();
        File.Delete(_folder.File(Name));
        using Journal other = Open();

        journal.Delete();

        Assert.Equal([Name], _folder.Files);
    }

    /// <summary>On Windows, an open handle would keep others from deleting the file until a finalizer runs.</summary>
    [Fact]
    public void Delete_NothingIsDeleted_FileIsClosedAnyway()
    {
        using SafeFileHandle file = File.OpenHandle(_folder.File(Name), FileMode.CreateNew, FileAccess.ReadWrite);
        Journal journal = new(_opened, Name, file);
        File.Delete(_folder.File(Name));
        Directory.CreateDirectory(_folder.File(Name)); // a directory can't be deleted as a file, and on Linux, it isn't tried

        Assert.Equal(OperatingSystem.IsLinux(), Record.Exception(journal.Delete) is null);

        Assert.True(Directory.Exists(_folder.File(Name)));
        Assert.True(file.IsClosed);
        Assert.False(journal.Append("one", Text));
    }

    [Fact]
    public void Append_JournalIsFull_ReturnsFalse()
    {
        const int lineBytes = 9 + 5 + 1;
        using Journal journal = Journal.TryOpen(_opened, Name, create: true, maxBytes: 2 * lineBytes)!;

        Assert.True(journal.Append("one", Text));
        Assert.True(journal.Append("two", Text));
        Assert.False(journal.IsFull);
        Assert.False(journal.Append("six", Text));

        Assert.True(journal.IsFull);
        Assert.Null(journal.Failure);
        Assert.Equal(["\"one\"", "\"two\""], Read(journal));
        journal.Restart();
        Assert.True(journal.Append("six", Text));
        Assert.False(journal.IsFull);
    }

    [Fact]
    public async Task Append_FromManyThreads_EveryLineIsWhole()
    {
        using (Journal journal = Open())
        {
            await Task.WhenAll(Enumerable.Range(0, 8).Select(thread => Task.Run(() =>
            {
                for (int i = 0; i < 100; i++)
                {
                    journal.Append($"{thread}/{i}", Text);
                }
            }))).Within();
        }

        using Journal again = Open();
        Assert.Equal(800, Read(again).Distinct().Count());
    }

    [Fact]
    public void Append_CannotBeWritten_DoesNotThrow()
    {
        Write("one");
        using Journal journal = new(_opened, Name, File.OpenHandle(_folder.File(Name), FileMode.Open, FileAccess.Read));

        Assert.Null(journal.Failure);
        Assert.False(journal.Append("two", Text));

        Assert.NotNull(journal.Failure);
        Assert.Equal(["\"one\""], Read(journal));
        journal.Restart();
        journal.Delete();
        Assert.Empty(_folder.Files);
    }

    [Fact]
    public void Open_CannotBeRead_HasNoLines()
    {
        Write("one");
        using Journal journal = new(_opened, Name, File.OpenHandle(_folder.File(Name), FileMode.Open, FileAccess.Write));

        Assert.Empty(Read(journal));

        Assert.NotNull(journal.Failure);
        Assert.False(journal.Append("two", Text));
    }

    [Fact]
    public void JournalName_AnyPartDiffers_IsDifferent()
    {
        string[] names =
        [
            JournalName.Create("a", "b"), JournalName.Create("ab", ""), JournalName.Create("", "ab"), JournalName.Create("a", null, "b"), JournalName.Create("a", "", "b"), JournalName.Create("ab"),
        ];

        Assert.Equal(names.Length, names.Distinct().Count());
        Assert.Equal(names[0], JournalName.Create("a", "b"));
        Assert.All(names, name => Assert.Equal(16, name.Length));

        // The names must not change, so that journals of earlier versions are found.
        Assert.Equal(["37efc929c5c40fd7", "2b26840efa521532", "ca1ba0c7d6355b7b"], [names[0], names[3], JournalName.Create("http://localhost:9000", "bucket", "photos/übung.jpg")]);
        Assert.NotEqual(JournalName.Create(new string('a', 1024)), JournalName.Create(new string('a', 1023), "a"));
    }

    private static List<string> Read(Journal journal) => [.. journal.Read().Select(line => Encoding.UTF8.GetString(line.Span))];

    private Journal Open() => Journal.TryOpen(_opened, Name, create: true)!;

    private void Write(params string[] lines)
    {
        using Journal journal = Open();
        foreach (string line in lines)
        {
            journal.Append(line, Text);
        }
    }
}
