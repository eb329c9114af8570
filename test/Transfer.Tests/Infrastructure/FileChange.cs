using Transfer.S3.Files;

namespace Transfer.S3.Tests.Infrastructure;

/// <summary>Changes of files that neither their sizes nor their last-write times show.</summary>
internal static class FileChange
{
    /// <summary>Replaces the content of a file in place by as many bytes, and puts the last-write time back.</summary>
    public static void Rewrite(string path, ReadOnlySpan<byte> content)
    {
        FileIdentity before = FileIdentity.At(path, followsLinks: false)!.Value;
        Assert.Equal(before.Length, content.Length);
        FileIdentity after;
        do
        {
            using (FileStream file = new(path, FileMode.Open, FileAccess.Write, FileShare.ReadWrite | FileShare.Delete))
            {
                file.Write(content);
            }

            File.SetLastWriteTimeUtc(path, new DateTime(before.LastWrite, DateTimeKind.Utc));
            after = FileIdentity.At(path, followsLinks: false)!.Value;
        }
        while (after == before); // the clock of a file system has steps of some milliseconds

        Assert.Equal((before.Length, before.LastWrite, before.Inode), (after.Length, after.LastWrite, after.Inode));
    }

    /// <summary>Replaces a file by another one with the same size and last-write time.</summary>
    public static void Replace(string path, ReadOnlySpan<byte> content)
    {
        string other = path + ".new";
        File.WriteAllBytes(other, content);
        File.SetLastWriteTimeUtc(other, File.GetLastWriteTimeUtc(path));
        File.Move(other, path, overwrite: true);
    }

    /// <summary>Gives a file another name.</summary>
    public static void Link(string path, string other)
    {
        using System.Diagnostics.Process link = System.Diagnostics.Process.Start("ln", [path, other]);
        link.WaitForExit();
        Assert.Equal(0, link.ExitCode);
    }
}
