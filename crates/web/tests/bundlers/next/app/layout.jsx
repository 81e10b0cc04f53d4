// What every page of the project has.
export const metadata = { title: "running" };

export default function Layout({ children }) {
    return (
        <html lang="en">
            <body>{children}</body>
        </html>
    );
}
