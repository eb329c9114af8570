using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Bench;

/// <summary>The file of the HTML report: checked before the benchmark, and replaced atomically after it.</summary>
internal sealed class PageFile
{
    private readonly string _path;

    private PageFile(string path) => _path = path;

    /// <exception cref="UsageException">Thrown when the file can't be created.</exception>
    public static PageFile At(GivenValue given)
    {
        try
        {
            string path = Path.GetFullPath(given.Text);
            if (Path.EndsInDirectorySeparator(path) || Directory.Exists(path))
            {
                throw Wrong(given, "is a folder");
            }

            // A symbolic link is kept, and its target is written, even if it doesn't exist yet.
            FileInfo named = new(path);
            path = named.LinkTarget is null ? path : named.ResolveLinkTarget(returnFinalTarget: true)?.FullName ?? path;
            if (SpecialFile.IsAt(path))
            {
                throw Wrong(given, "is a device or a pipe, which can't be replaced");
            }

            PageFile file = new(path);
            using (new FileStream(file.TemporaryPath(), FileMode.CreateNew, FileAccess.Write, FileShare.None, 1, FileOptions.DeleteOnClose))
            {
                return file;
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new UsageException(
                $"{given.Source} got '{Printable.Text(given.Text)}', which can't be written: {(e is DirectoryNotFoundException ? "there is no such folder" : Printable.Line(e.Message))}", e);
        }
    }

    /// <summary>Writes the report. Readers see either the complete report or the earlier file.</summary>
    public void Write(string page)
    {
        string temporary = TemporaryPath();
        try
        {
            File.WriteAllText(temporary, page);
            File.Move(temporary, _path, overwrite: true);
        }
        catch
        {
            File.Delete(temporary);
            throw;
        }
    }

    private static UsageException Wrong(GivenValue given, string why)
        => new($"{given.Source} got '{Printable.Text(given.Text)}', which {why}; it accepts a file name");

    private string TemporaryPath() => Path.Combine(Path.GetDirectoryName(_path)!, $".{Guid.NewGuid():N}.transfer");
}
