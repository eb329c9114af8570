using Transfer.Cli.Options;
using Transfer.Cli.Rendering;

namespace Transfer.Cli.Bench.Report;

/// <summary>The file that a page goes to: tried before anything is measured, and replaced as a whole after.</summary>
internal sealed class PageFile
{
    private readonly string _path;

    private PageFile(string path) => _path = path;

    /// <exception cref="UsageException">A file of that name can't be made there.</exception>
    public static PageFile At(GivenValue given)
    {
        try
        {
            string path = Path.GetFullPath(given.Text);
            if (Path.EndsInDirectorySeparator(path) || Directory.Exists(path))
            {
                throw Wrong(given, "is a folder");
            }

            // A link stays one, and what a link to nothing names is what is made.
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

    /// <summary>Writes the page; whoever looks finds the whole of it or what was there before.</summary>
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
        => new($"{given.Source} got '{Printable.Text(given.Text)}', which {why}; it accepts the name of a file");

    private string TemporaryPath() => Path.Combine(Path.GetDirectoryName(_path)!, $".{Guid.NewGuid():N}.transfer");
}
