using System.Text;

namespace Transfer.S3.Trees;

/// <summary>
/// The names that could not be written because something else is in their place: a file where a folder is needed, or a name that differs only by case. Whatever is
/// in their place must not be deleted.
/// </summary>
internal sealed class ClashingNames
{
    /// <summary>The number of names that are kept, in a few MiB. If there are more, nothing is deleted.</summary>
    private const int Max = 100_000;

    private readonly CaseInsensitiveNames _names = new();
    private readonly CaseInsensitiveNames _above = new();
    private int _count;

    public bool IsFull => _count >= Max;

    /// <summary>Adds a name. The folders above it are also names that something else may have.</summary>
    public void Add(string name)
    {
        string path = Normal(name);
        _count += _names.Add(path) ? 1 : 0;
        for (int end = path.LastIndexOf('/'); end > 0 && !IsFull; end = path.LastIndexOf('/', end - 1))
        {
            _count += _above.Add(path[..end]) ? 1 : 0;
        }
    }

    /// <summary>Returns whether a name could be what is in the place of an added one, or is under what is in its place.</summary>
    public bool Covers(string name)
    {
        if (_count == 0 || IsFull)
        {
            return IsFull;
        }

        string path = Normal(name);
        if (_above.Contains(path))
        {
            return true;
        }

        for (int end = path.Length; end > 0; end = path.LastIndexOf('/', end - 1))
        {
            if (_names.Contains(path[..end]))
            {
                return true;
            }
        }

        return false;
    }

    private static string Normal(string name)
    {
        try
        {
            return name.TrimEnd('/').Normalize(NormalizationForm.FormC);
        }
        catch (ArgumentException)
        {
            return name.TrimEnd('/'); // half of a surrogate pair has no normal form
        }
    }
}
